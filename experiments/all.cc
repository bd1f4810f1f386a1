#include <array>

#include "experiments/cavallanti_2008/experiment.h"
#include "experiments/cavallanti_2008/paper.h"
#include "experiments/cbgz_2006/experiment.h"
#include "experiments/cbgz_2006/paper.h"
#include "experiments/experiment.h"

namespace askfew {
namespace {

constexpr std::array table{
    Experiment{
        .name = "cbgz-2006", .title = cbgz_2006::title, .data = "reuters21578, rcv1", .run = cbgz_2006::run},
    Experiment{.name = "cavallanti-2008",
               .title = cavallanti_2008::title,
               .data = "reuters21578, rcv1",
               .run = cavallanti_2008::run}};

}  // namespace

std::span<const Experiment> all_experiments() {
  return table;
}

}  // namespace askfew
