#pragma once

namespace askfew {

/// What a rule sees of an instance.
struct Score {
  double margin = 0;  ///< the learner's signed margin m
  double norm = 0;    ///< norm of x, in the learner's space
  double spread = 0;  ///< r = x'Qx for learners with a spread; 0 for first-order learners
};

}  // namespace askfew
