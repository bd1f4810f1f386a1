#include <array>

#include "experiments/cbgz_2006/experiment.h"
#include "experiments/cbgz_2006/paper.h"
#include "experiments/experiment.h"

namespace askfew {
namespace {

constexpr std::array table{Experiment{
    .name = "cbgz-2006", .title = cbgz_2006::title, .data = "reuters21578, rcv1", .run = cbgz_2006::run}};

}  // namespace

std::span<const Experiment> all_experiments() {
  return table;
}

}  // namespace askfew
