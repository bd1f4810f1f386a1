#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// Finds data whose examples are sorted by their labels. In such an order a sampler sees one label for long
/// and cannot know the next one, so its figures say nothing about other orders.
class SortedLabels {
 public:
  /// What follows from the order, for a sentence about sorted examples.
  static constexpr std::string_view consequence =
      "no sampler can know the next label, and the figures are those of this order only";

  void look_at(const Examples& block);
  /// The label of the next example, if every example has one.
  void look_at(Examples::LabelId label);
  [[nodiscard]] bool are_sorted() const;
  /// One sentence about sorted examples; an empty text: they are not sorted.
  [[nodiscard]] std::string doubt(const Stream& stream) const;

 private:
  /// Successive examples with the same label.
  struct Run {
    Examples::LabelId label = 0;
    std::uint64_t examples = 0;
  };

  bool may_be_sorted_ = true;  // no: an example has not one label, or there are too many runs
  std::uint64_t examples_ = 0;
  std::unordered_map<Examples::LabelId, std::uint64_t> counts_;  // the examples of each label
  std::uint64_t runs_ = 0;
  std::vector<Run> first_runs_;
};

}  // namespace askfew
