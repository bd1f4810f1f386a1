#pragma once

#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"
#include "askfew/streams/formats/svmlight/svmlight_line.h"

namespace askfew {

/// svmlight/LIBSVM text: one `label index:value ...` per line. Indices ascend and start at 1 unless told
/// otherwise; `#` begins a comment. A line may have several labels (`3,17 5:0.2`), or none if it begins with
/// a space; `qid:N` after the labels is skipped. Empty lines are skipped.
class SvmlightFormat final : public Format {
 public:
  using Index = FeatureView::Index;

  static constexpr Index max_features = SvmlightIndices::max_features;

  explicit SvmlightFormat(ByteSource& source, const SvmlightIndices& indices = {});

  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::optional<std::uint64_t> examples_in(std::string_view records) const override {
    return lines_with_content(records, '#');
  }
  Examples::LabelId label_id(std::string_view name) override;
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return std::to_string(id); }

 private:
  SvmlightIndices indices_;
};

/// Does one of these lines have the index 0?
bool has_index_0(std::string_view first_bytes);

}  // namespace askfew
