#pragma once

#include "askfew/features/text_features.h"
#include "askfew/streams/byte_order_mark.h"
#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"
#include "askfew/streams/formats/common/mixed_labels.h"
#include "askfew/streams/formats/json/json_examples.h"

namespace askfew {

/// JSON objects, one per line: an instance as text, numbers or features, its labels, its time. All records
/// have the shape of the first record; instances of numbers all have the same length.
class JsonlFormat final : public Format {
 public:
  using Index = FeatureView::Index;

  /// Do these bytes begin a JSONL file?
  static bool recognizes(std::string_view first_bytes) {
    first_bytes = without_mark(first_bytes);
    const std::size_t at = first_bytes.find_first_not_of(" \t\r\n");
    return at != std::string_view::npos && first_bytes[at] == '{';
  }

  struct Options {
    Index dimension = 0;  ///< for features with indices; 0: unknown
    TextOptions text{};
    TableOptions keys{};  ///< the keys of text, label, id and time
    Unlabelled unlabelled = Unlabelled::malformed;
  };
  JsonlFormat(ByteSource& source, const Options& options, std::shared_ptr<LabelNames> names);

  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::optional<std::uint64_t> examples_in(std::string_view records) const override {
    return lines_with_content(records);
  }
  [[nodiscard]] std::size_t memory_per_byte() const override { return 16 + features_.memory_per_byte(); }
  Examples::LabelId label_id(std::string_view name) override { return labels_.id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return labels_.name(id); }

 private:
  [[nodiscard]] JsonReader reader() const;
  [[nodiscard]] Index dimension() const;
  [[nodiscard]] InputKind input() const;

  Index index_dimension_;
  TableOptions keys_;
  Unlabelled unlabelled_;
  TextFeatures features_;
  MixedLabels labels_;
  JsonShape shape_;
};

}  // namespace askfew
