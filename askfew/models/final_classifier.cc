#include "askfew/models/final_classifier.h"

#include <algorithm>
#include <fmt/format.h>

namespace askfew {
namespace {

/// THROWS: ConfigError for a learner whose hypotheses do not follow from its weights.
void expect_local_weights(FinalChoice choice, const AlgorithmSpec& learner, const AnySampler& sampler) {
  if (choice == FinalChoice::last || sampler.has_local_weights()) return;
  std::string known;
  for (const LearnerEntry& entry : learner_entries()) {
    if (!offers(entry, "local-weights")) continue;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.info.name);
  }
  throw ConfigError(fmt::format("the {} classifier of a run is not known for {}, only for: {}",
                                text_of(choice), learner.name, known));
}

std::variant<TestedHypothesis, AverageHypothesis, PenalizedChoice> make_choice(
    FinalChoice choice, std::shared_ptr<MemoryLimit> memory) {
  switch (choice) {
    case FinalChoice::average:
      return AverageHypothesis();
    case FinalChoice::penalized:
      return PenalizedChoice(std::move(memory));
    case FinalChoice::last:
      break;
  }
  return TestedHypothesis();
}

/// Passes the new weights of an instance's features to a choice.
template <class Choice>
void tell_weights(Choice& choice, const AnySampler& sampler, const FeatureView& x) {
  constexpr double one = 1;
  x.for_each([&](FeatureView::Index i, double /*value*/) {
    choice.set_weight(i, sampler.margin(FeatureView::unchecked_sparse({&i, 1}, {&one, 1})));
  });
}

}  // namespace

std::string_view text_of(FinalChoice choice) {
  switch (choice) {
    case FinalChoice::last:
      return "last";
    case FinalChoice::average:
      return "average";
    case FinalChoice::penalized:
      break;
  }
  return "penalized";
}

OnlineToBatch::OnlineToBatch(FinalChoice choice, const AlgorithmSpec& learner, AnySampler& sampler,
                             std::shared_ptr<MemoryLimit> memory)
    : sampler_(sampler), choice_(make_choice(choice, std::move(memory))), started_(sampler.started()) {
  expect_local_weights(choice, learner, sampler);
}

void OnlineToBatch::observe(const FeatureView& x, const Round& round) {
  const Label y = label_of(*round.label);
  const bool mistake = round.query.prediction != y;
  const bool changed = round.updated || started_ != sampler_.started();  // a start is not an update
  started_ = sampler_.started();
  if (auto* last = std::get_if<TestedHypothesis>(&choice_)) {
    last->test(mistake);
    if (changed) *last = last->next();
  } else if (auto* average = std::get_if<AverageHypothesis>(&choice_)) {
    average->predict(sign(y) * round.query.score.margin, std::sqrt(x.squared_norm()));
    if (changed) tell_weights(*average, sampler_, x);
  } else if (auto* penalized = std::get_if<PenalizedChoice>(&choice_)) {
    penalized->test(x, y, mistake);
    if (!changed) return;
    penalized->begin_hypothesis();
    tell_weights(*penalized, sampler_, x);
  }
}

FinalClassifier OnlineToBatch::finish(double delta) {
  FinalClassifier final_classifier;
  if (const auto* last = std::get_if<TestedHypothesis>(&choice_)) {
    final_classifier.tested = *last;
    final_classifier.risk_bound = last->penalized_risk(delta);
  } else if (const auto* average = std::get_if<AverageHypothesis>(&choice_)) {
    final_classifier.average = average->risk(delta);
    final_classifier.risk_bound = final_classifier.average.bound;
    sampler_.set_weights(average->weights());
  } else if (const auto* penalized = std::get_if<PenalizedChoice>(&choice_)) {
    const PenalizedChoice::Choice choice = penalized->choose(delta);
    final_classifier.tested = choice.tested;
    final_classifier.risk_bound = choice.tested.penalized_risk(delta);
    sampler_.set_weights(choice.weights);
  }
  final_classifier.risk_bound = std::min(1.0, final_classifier.risk_bound);
  return final_classifier;
}

}  // namespace askfew
