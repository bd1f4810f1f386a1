#include "askfew/linalg/update_size.h"

#include "askfew/core/errors.h"

namespace askfew {

void refuse_update() {
  throw NumericFailure(
      "the update is too large for the learner's numbers to stay finite; scale the instances, or change the "
      "learner's parameters");
}

}  // namespace askfew
