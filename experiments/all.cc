#include <array>

#include "experiments/experiment.h"
#include "experiments/monteleoni_2007/experiment.h"

namespace askfew {
namespace {

constexpr std::array table{
    Experiment{"monteleoni-2007", "Monteleoni and Kaariainen 2007: labels to reach a test error on digits",
               "mnist usps", monteleoni_2007::run},
};

}  // namespace

std::span<const Experiment> all_experiments() {
  return table;
}

}  // namespace askfew
