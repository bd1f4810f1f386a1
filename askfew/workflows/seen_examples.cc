#include "askfew/workflows/seen_examples.h"

#include <algorithm>

namespace askfew {

void SeenExamples::look_at(const Examples& block) {
  has_examples_ = has_examples_ || block.size() > 0;
  const double constant = block.bias() * block.bias();
  for (std::size_t row = 0; row < block.size() && !has_features_; ++row) {
    has_features_ = block.x(row).squared_norm() != constant;
  }
  if (!has_plain_labels_ || std::ranges::count(has_, true) == 3) return;
  for (std::size_t row = 0; row < block.size(); ++row) {
    for (const Examples::LabelId label : block.labels(row)) {
      if (label >= -1 && label <= 1) has_.at(static_cast<std::size_t>(label + 1)) = true;
    }
  }
}

std::vector<std::string> SeenExamples::doubts() const {
  std::vector<std::string> doubts;
  if (has_examples_ && !has_features_) {
    doubts.emplace_back("no example has a word, or a number other than 0: there is nothing to learn from");
  }
  if (std::ranges::count(has_, true) == 3) {
    doubts.emplace_back(
        "the labels are -1, 0 and 1, and both -1 and 0 are negative: for three classes give `multiclass`, or "
        "name the labels with `positive`");
  }
  return doubts;
}

}  // namespace askfew
