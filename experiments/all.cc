#include <array>

#include "experiments/experiment.h"
#include "experiments/moroshko_2014/experiment.h"

namespace askfew {
namespace {

constexpr std::array table{
    Experiment{.name = "moroshko-2014",
               .title = "Moroshko and Crammer 2014: Selective Sampling with Drift",
               .data = "usps",
               .run = reproduce_moroshko_2014},
};

}  // namespace

std::span<const Experiment> all_experiments() {
  return table;
}

}  // namespace askfew
