#pragma once

#include <memory>
#include <string_view>

#include "askfew/features/text_features.h"
#include "askfew/streams/format.h"
#include "askfew/streams/label_names.h"

namespace askfew {

/// Debian package lists, as `apt-cache dumpavail` prints them: stanzas of `Field: value` lines, where a line
/// that begins with a space continues the line before. The text is the name and description of a package; the
/// label is its section, or its debtags (several or none).
class PackagesFormat final : public Format {
 public:
  enum class LabelField : std::uint8_t { section, tag };

  /// Do these bytes begin a package list?
  static bool recognizes(std::string_view first_bytes) { return first_bytes.starts_with("Package:"); }

  PackagesFormat(LabelField field, const TextOptions& text, std::shared_ptr<LabelNames> names);

  [[nodiscard]] std::size_t whole_records(std::string_view bytes, std::size_t& looked_at) const override;
  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::size_t memory_per_byte() const override { return features_.memory_per_byte(); }
  Examples::LabelId label_id(std::string_view name) override { return names_->id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return names_->name(id); }

 private:
  LabelField field_;
  TextFeatures features_;
  std::shared_ptr<LabelNames> names_;
};

}  // namespace askfew
