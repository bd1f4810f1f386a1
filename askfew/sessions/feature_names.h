#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "askfew/models/model.h"
#include "askfew/protocol/explanation.h"
#include "askfew/sessions/incoming.h"

namespace askfew {

/// The names of an instance's features. A dictionary knows its words. A hash does not reveal its word: the
/// line is read again to find the name or word with this hash.
class FeatureNames {
 public:
  using Names = std::array<std::string, HeaviestFeatures::most>;

  explicit FeatureNames(const ModelConfig& config);

  /// The names in the order of the features; a number if the name is unknown. REQUIRES: the instance was
  /// accepted, and its line is still valid.
  const Names& of(const Incoming& incoming, const FeatureState& state,
                  std::span<const FeatureShare> features);

 private:
  void look_at_line(std::string_view line, std::span<const FeatureShare> features);
  void look_at(const JsonRecord::Text& text, std::span<const FeatureShare> features);
  void found(FeatureView::Index index, std::string_view field, std::string_view name,
             std::span<const FeatureShare> features);

  FeatureView::Index shift_;  // 1 if there is a constant feature, else 0
  TextFeatures features_;
  TextScratch scratch_;
  WordSplitter splitter_;
  Words words_;
  MixedLabels labels_;
  JsonReader reader_;
  Examples block_;  // stays empty: hashes do not need it
  Names names_;
  std::size_t unnamed_ = 0;  // number of names still to be found
};

}  // namespace askfew
