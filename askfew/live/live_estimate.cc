#include "askfew/live/live_estimate.h"

namespace askfew {
namespace {

Label label_of(bool positive) {
  return positive ? Label::positive : Label::negative;
}

}  // namespace

AskedLabel LiveEstimate::asked(std::uint64_t round, LabelNumber prediction, LabelNumber truth,
                               double chance) const {
  return {.round = round,
          .prediction = label_of(of_classes_ || prediction == 1),
          .truth = label_of(of_classes_ ? truth == prediction : truth == 1),
          .chance = chance};
}

void LiveEstimate::add(const Decision& decision) {
  const AskedLabel lost = asked(decision.round, decision.prediction, 0, decision.chance());
  estimate_.add(lost.prediction, decision.asked || decision.chance() >= estimate_.floor());
  if (decision.asked) estimate_.lose(lost);
}

void LiveEstimate::label(const Question& question, std::optional<LabelNumber> before) {
  const auto with = [&](LabelNumber truth) {
    return asked(question.query.round, question.prediction, truth, question.query.chance());
  };
  if (before) {
    estimate_.take_back(with(*before));
  } else {
    estimate_.find(with(*question.label));
  }
  estimate_.label(with(*question.label));
}

}  // namespace askfew
