#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "askfew/features/text_features.h"
#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"
#include "askfew/streams/formats/common/mixed_labels.h"

namespace askfew {

/// One label, a tab and a text per line, as in the SMS Spam Collection. There is no quoting.
class TsvFormat final : public Format {
 public:
  /// Do these bytes begin such a file? Each line has exactly one tab, after a short label, and most lines
  /// have a text of several words.
  static bool recognizes(std::string_view first_bytes);

  /// If examples without a label are accepted, a line may be only a text.
  TsvFormat(ByteSource& source, const TextOptions& text, Unlabelled unlabelled,
            std::shared_ptr<LabelNames> names);

  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::size_t memory_per_byte() const override { return texts_.memory_per_byte(); }
  Examples::LabelId label_id(std::string_view name) override;
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return labels_.name(id); }

 private:
  TextFeatures texts_;
  Unlabelled unlabelled_;
  MixedLabels labels_;
};

}  // namespace askfew
