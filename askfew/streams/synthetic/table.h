#pragma once

#include <tuple>

#include "askfew/streams/synthetic/linear_noise.h"
#include "askfew/streams/synthetic/separable.h"
#include "askfew/streams/synthetic/shifting_gaussian.h"
#include "askfew/streams/synthetic/sparse_text.h"

namespace askfew {

/// Every synthetic stream. To add one: write its file, and add its line here.
using Generators = std::tuple<ShiftingGaussian,  //
                              LinearNoise,       //
                              Separable,         //
                              SparseText>;

}  // namespace askfew
