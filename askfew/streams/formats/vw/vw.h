#pragma once

#include "askfew/features/feature_options.h"
#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"
#include "askfew/streams/formats/vw/vw_line.h"

namespace askfew {

/// Vowpal Wabbit's text, one example per line: `[label [importance]] ['tag]|namespace[:weight]
/// feature[:value] ... |namespace ...`. Features are hashed; values of repeated features are added up. An
/// importance is checked but not used.
class VwFormat final : public Format {
 public:
  /// Do these bytes begin a file of this format? A number directly before the first bar would be a tag, but
  /// is more likely part of a table.
  static bool recognizes(std::string_view first_bytes);

  /// THROWS: ConfigError if the options do not hash features.
  VwFormat(ByteSource& source, const TextOptions& text);

  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::optional<std::uint64_t> examples_in(std::string_view records) const override {
    return lines_with_content(records);
  }
  Examples::LabelId label_id(std::string_view name) override;
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return std::to_string(id); }

 private:
  VwHash hash_;
};

}  // namespace askfew
