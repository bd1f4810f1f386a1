#pragma once

// How well probabilities agree with what happened: Brier score, log loss, calibration error.

#include <array>
#include <cstdint>
#include <vector>

#include "askfew/workflows/measured.h"

namespace askfew {

/// Predictions of about the same probability, and how many of them were right.
struct ReliabilityBin {
  double from = 0;  ///< the probabilities of the bin
  double to = 0;
  std::uint64_t count = 0;
  double predicted = 0;  ///< mean probability
  Measured observed;     ///< the share that was right
};

/// Probabilities compared with what happened.
struct Reliability {
  std::uint64_t count = 0;
  Measured brier;                    ///< mean squared difference; 0 is best
  Measured log_loss;                 ///< mean of -log(probability of what happened); 0 is best
  double calibration_error = 0;      ///< mean difference of predicted and observed shares, weighted by count
  std::vector<ReliabilityBin> bins;  ///< those with predictions, of a tenth each
};

class ReliabilityCounter {
 public:
  void add(double probability, bool is_right);
  [[nodiscard]] Reliability result() const;

 private:
  struct Bin {
    std::uint64_t count = 0;
    std::uint64_t right = 0;
    double sum = 0;
  };

  std::array<Bin, 10> bins_{};
  double brier_ = 0, brier_squares_ = 0;
  double log_ = 0, log_squares_ = 0;
};

}  // namespace askfew
