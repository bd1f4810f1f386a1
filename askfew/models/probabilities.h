#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "askfew/models/model.h"

// Threads: many threads may call const members at the same time.

namespace askfew {

/// The probabilities of a model's predictions, calibrated on the labels that were asked.
class Probabilities {
 public:
  explicit Probabilities(const Model& model);

  /// The probability that the label of a task is positive; of classes, with task 0 and the difference of the
  /// two largest margins: that the predicted class is right. Nothing: too few labels were asked.
  [[nodiscard]] std::optional<double> at(std::size_t task, double margin) const;
  /// A sentence about the tasks without probabilities; empty: there are none.
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  std::vector<std::optional<PlattCurve>> curves_;
  std::string missing_;
};

}  // namespace askfew
