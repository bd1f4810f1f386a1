#include "askfew/workflows/sorted_labels.h"

#include <fmt/core.h>

#include "askfew/config/text.h"

namespace askfew {
namespace {

constexpr std::size_t max_distinct = 1000;    // numbers that are measured are no labels
constexpr std::size_t runs_in_words = 2;      // for the sentence
constexpr std::uint64_t runs_of_a_label = 2;  // of a label: of two sorted files, read one after the other
constexpr double fewer_than_by_chance = 10;

}  // namespace

void SortedLabels::look_at(const Examples& block) {
  for (std::size_t row = 0; row < block.size() && may_be_sorted_; ++row) {
    const auto labels = block.labels(row);
    if (labels.size() == 1) {
      look_at(labels[0]);
    } else {
      may_be_sorted_ = false;
    }
  }
}

void SortedLabels::look_at(Examples::LabelId label) {
  if (!may_be_sorted_) return;
  ++examples_;
  if (runs_ == 0 || first_runs_.back().label != label) {
    ++runs_;
    may_be_sorted_ = runs_ <= runs_of_a_label * max_distinct;
    if (first_runs_.size() > runs_in_words) first_runs_.pop_back();  // the last one is the present run
    first_runs_.push_back({.label = label});
    if (counts_.size() < max_distinct) counts_.try_emplace(label, 0);
  }
  ++first_runs_.back().examples;
  if (const auto count = counts_.find(label); count != counts_.end()) ++count->second;
}

bool SortedLabels::are_sorted() const {
  if (!may_be_sorted_ || counts_.size() < 2 || counts_.size() == max_distinct) return false;
  // In a random order, an example has another label than the one before with the chance 1 - sum of p^2.
  const auto all = static_cast<double>(examples_);
  double same = 0;
  for (const auto& [label, count] : counts_) {
    const double share = static_cast<double>(count) / all;
    same += share * share;
  }
  const double by_chance = 1 + (all - 1) * (1 - same);
  return runs_ <= runs_of_a_label * counts_.size() &&
         fewer_than_by_chance * static_cast<double>(runs_) <= by_chance;
}

std::string SortedLabels::doubt(const Stream& stream) const {
  if (!are_sorted()) return "";
  const auto in_words = [&](const Run& run) {
    return fmt::format("{} with the label {}", run.examples, in_quotes(stream.label_name(run.label)));
  };
  return fmt::format(
      "the examples are sorted by their labels, first {}, then {}{}: {}; if it is not the order of time, "
      "mix the examples with `order` random",
      in_words(first_runs_[0]), in_words(first_runs_[1]), runs_ > runs_in_words ? ", and so on" : "",
      consequence);
}

}  // namespace askfew
