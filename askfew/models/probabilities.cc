#include "askfew/models/probabilities.h"

#include <algorithm>
#include <fmt/core.h>

namespace askfew {
namespace {

std::string missing_text(const Model& model, std::size_t missing, std::size_t all) {
  const std::string least =
      fmt::format("at least {} asked labels are needed, {} of them {} and {} {}", Calibration::min_labels,
                  Calibration::min_of_each, model.has_classes() ? "predicted right" : "positive",
                  Calibration::min_of_each, model.has_classes() ? "wrong" : "negative");
  if (all > 1) return fmt::format("{} of {} tasks have no probabilities: {}", missing, all, least);
  const Calibration& calibration = model.tasks[0].calibration;
  if (calibration.labels() == 0 && model.tally(0).asked > 0) {
    return "the model has no probabilities: it is of an earlier version, or a final classifier of a run";
  }
  return fmt::format("too few labels were asked for probabilities, {} ({} {}): {}", calibration.labels(),
                     calibration.positives(), model.has_classes() ? "predicted right" : "positive", least);
}

}  // namespace

Probabilities::Probabilities(const Model& model) {
  const std::size_t all = model.has_classes() ? 1 : model.tasks.size();
  for (std::size_t k = 0; k < all; ++k) curves_.push_back(model.tasks[k].calibration.curve());
  const auto missing = static_cast<std::size_t>(
      std::ranges::count_if(curves_, [](const auto& curve) { return !curve.has_value(); }));
  if (missing > 0) missing_ = missing_text(model, missing, all);
}

std::optional<double> Probabilities::at(std::size_t task, double margin) const {
  if (!curves_[task]) return std::nullopt;
  return curves_[task]->at(margin);
}

}  // namespace askfew
