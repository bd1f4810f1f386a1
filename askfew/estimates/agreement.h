#pragma once

// How far several people agree about the same questions: Cohen's kappa and Krippendorff's alpha.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "askfew/core/round.h"
#include "askfew/estimates/estimate.h"

namespace askfew {

/// Labels that several people gave to the same question; each person at most one.
struct SharedQuestion {
  struct Answer {
    std::uint32_t person = 0;
    LabelNumber label = 0;
  };
  std::vector<Answer> answers;
};

/// Agreement between people beyond chance: 1 is full agreement, 0 is that of independent people. Questions
/// with one answer do not count.
struct Agreement {
  std::uint64_t questions = 0;  ///< with at least two answers
  std::uint64_t disputed = 0;   ///< of these, with different labels
  /// Cohen's kappa, if exactly two people share questions; the 95% interval is from the large-sample variance
  /// of Fleiss, Cohen and Everitt (1969).
  std::optional<Estimated> kappa{};
  /// Krippendorff's alpha for nominal labels, for any number of people and missing answers; the 95% interval
  /// is from the jackknife over questions. Nothing if all answers are the same label: chance is undefined.
  std::optional<Estimated> alpha{};
  struct Person {
    std::uint64_t questions = 0;  ///< that others answered as well
    double disagreement = 0;      ///< mean share of the others' labels that differ from the person's
  };
  std::vector<Person> people{};  ///< by their numbers
};
Agreement agreement_of(std::span<const SharedQuestion> questions);

}  // namespace askfew
