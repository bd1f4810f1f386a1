#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "askfew/models/model.h"
#include "askfew/protocol/explanation.h"
#include "askfew/sessions/incoming.h"

namespace askfew {

/// What the features of an instance are called. A dictionary knows its words. Hashes do not tell: the line is
/// read once more, and the name or word that has the hash is looked for.
class FeatureNames {
 public:
  using Names = std::array<std::string, HeaviestFeatures::most>;

  explicit FeatureNames(const ModelConfig& config);

  /// In the order of the features; a number where nobody knows a name. REQUIRES: the instance was taken, and
  /// its line is still there.
  const Names& of(const Incoming& incoming, const FeatureState& state,
                  std::span<const FeatureShare> features);

 private:
  void look_at_line(std::string_view line, std::span<const FeatureShare> features);
  void look_at(const JsonRecord::Text& text, std::span<const FeatureShare> features);
  void found(FeatureView::Index index, std::string_view field, std::string_view name,
             std::span<const FeatureShare> features);

  FeatureView::Index shift_;  // by the constant
  TextFeatures features_;
  TextScratch scratch_;
  WordSplitter splitter_;
  Words words_;
  MixedLabels labels_;
  JsonReader reader_;
  Examples block_;  // holds nothing: hashes need none
  Names names_;
  std::size_t unnamed_ = 0;  // names that are still looked for
};

}  // namespace askfew
