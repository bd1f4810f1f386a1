#pragma once

#include <memory>
#include <string>
#include <vector>

#include "askfew/features/text_features.h"
#include "askfew/models/model.h"
#include "askfew/streams/formats/common/mixed_labels.h"
#include "askfew/streams/stream.h"
#include "askfew/workflows/pool.h"

namespace askfew {

/// The texts of tables as a model of text reads them: the words of the text column, without the column's
/// name, and none of the other columns.
class PoolStream final : public Stream {
 public:
  /// What a text without a label is: an error, as good as any other, or left out.
  enum class Labels : std::uint8_t { needed, not_needed, left_out };

  /// REQUIRES: the paths can be read twice. THROWS: as read_pool.
  PoolStream(const std::vector<std::string>& paths, const ModelConfig& config, Labels labels,
             std::shared_ptr<Skipped> skipped);

  tl::expected<bool, ParseError> next(Examples& block) override;
  [[nodiscard]] std::string name() const override { return file_; }
  Examples::LabelId label_id(std::string_view name) override { return labels_.id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return labels_.name(id); }

 private:
  std::vector<std::string> paths_;
  FeatureOptions options_;
  TableOptions table_;
  Labels mode_;
  TextFeatures features_;
  TextScratch scratch_;
  MixedLabels labels_;
  std::size_t next_path_ = 0;
  std::string file_;
};

}  // namespace askfew
