#pragma once

#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"

namespace askfew {

/// svmlight/LIBSVM text: `label index:value ...` a line, indices from 1 and ascending, `#` begins a comment.
/// A line may have several labels (`3,17 5:0.2`), or none if it begins with a space. Empty lines are passed
/// over.
class SvmlightFormat final : public Format {
 public:
  using Index = FeatureView::Index;

  /// Without a dimension indices may go up to this: one weight vector of a gibibyte.
  static constexpr Index most_features = Index{1} << 27;

  /// A dimension of 0 means that it is not known.
  explicit SvmlightFormat(ByteSource& source, Index dimension = 0);

  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  /// THROWS: ConfigError if it is none.
  static Examples::LabelId label_number(std::string_view name);
  Examples::LabelId label_id(std::string_view name) override { return label_number(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return std::to_string(id); }
  [[nodiscard]] LabelKind label_kind() const override { return kind_; }
  [[nodiscard]] Index dimension() const override { return dimension_; }

 private:
  Index dimension_;
  LabelKind kind_;
};

}  // namespace askfew
