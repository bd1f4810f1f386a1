#pragma once

#include <tuple>

#include "askfew/streams/formats/synthetic/linear_noise.h"
#include "askfew/streams/formats/synthetic/separable.h"
#include "askfew/streams/formats/synthetic/shifting_gaussian.h"
#include "askfew/streams/formats/synthetic/sparse_text.h"

namespace askfew {

/// Every synthetic stream. To add a stream: write its file, and add its line here.
using Generators = std::tuple<ShiftingGaussian,  //
                              LinearNoise,       //
                              Separable,         //
                              SparseText>;

}  // namespace askfew
