#include "askfew/theory/penalized_choice.h"

#include <algorithm>
#include <limits>

#include "askfew/core/expects.h"

namespace askfew {

void PenalizedChoice::test(const FeatureView& x, Label y, bool mistake) {
  x.for_each([&](FeatureView::Index i, double component) {
    if (i >= changes_.size()) return;
    double before = 0;
    for (const Change& change : changes_[i]) {
      steps_[change.hypothesis] += (change.value - before) * component;
      before = change.value;
    }
  });
  const std::size_t last = errors_.size() - 1;
  double margin = 0;
  for (std::size_t k = 0; k < last; ++k) {
    margin += steps_[k];
    errors_[k] += sgn(margin) != y ? 1 : 0;
  }
  std::fill(steps_.begin(), steps_.end(), 0.0);
  ++rounds_;
  if (!mistake) return;
  ++errors_[last];
  candidates_.push_back({rounds_, last, errors_[last]});
}

void PenalizedChoice::begin_hypothesis() {
  constexpr std::size_t bytes_each = sizeof(double) + sizeof(std::uint64_t);
  memory_.resize((errors_.size() + 1) * bytes_each + (candidates_.size() + 1) * sizeof(Candidate) +
                     change_count_ * sizeof(Change) + changes_.size() * sizeof(std::vector<Change>),
                 "the hypotheses to choose from");
  if (candidates_.back().round == rounds_)
    candidates_.pop_back();  // the mistake from which the new
                             // hypothesis learned
  candidates_.push_back({rounds_, errors_.size(), 0});
  errors_.push_back(0);
  steps_.push_back(0);
}

void PenalizedChoice::set_weight(FeatureView::Index i, double value) {
  if (i >= changes_.size()) changes_.resize(std::max<std::size_t>(i + std::size_t{1}, 2 * changes_.size()));
  changes_[i].push_back({errors_.size() - 1, value});
  ++change_count_;
}

PenalizedChoice::Choice PenalizedChoice::choose(double delta) const {
  EXPECTS(rounds_ > 0);
  Choice best;
  double least = std::numeric_limits<double>::infinity();
  std::size_t chosen = 0;
  for (const Candidate& candidate : candidates_) {
    const TestedHypothesis tested{.round = candidate.round,
                                  .tests = rounds_ - candidate.round,
                                  .errors = errors_[candidate.hypothesis] - candidate.errors_before};
    const double risk = tested.penalized_risk(delta);
    if (risk >= least) continue;
    least = risk;
    best.tested = tested;
    chosen = candidate.hypothesis;
  }
  best.weights = weights_of(chosen);
  return best;
}

std::vector<double> PenalizedChoice::weights_of(std::size_t hypothesis) const {
  std::vector<double> weights(changes_.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for (const Change& change : changes_[i]) {
      if (change.hypothesis <= hypothesis) weights[i] = change.value;
    }
  }
  while (!weights.empty() && weights.back() == 0) weights.pop_back();
  return weights;
}

}  // namespace askfew
