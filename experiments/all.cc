#include <array>

#include "experiments/experiment.h"

namespace askfew {
namespace {

constexpr std::array<Experiment, 0> table{};

}  // namespace

std::span<const Experiment> all_experiments() {
  return table;
}

}  // namespace askfew
