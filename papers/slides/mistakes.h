#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "askfew/trials/statistics.h"

#include "papers/experiment.h"
#include "papers/slides/separable_streams.h"

namespace askfew::slides {

/// A row of the slides' table.
struct Update {
  std::string_view name;
  std::string_view learner;
  bool knows_norm;  ///< "U known"
};
inline constexpr std::array updates{Update{"Perceptron", "perceptron", false},
                                    Update{"Hildreth", "pa", false},
                                    Update{"2nd order", "second-order:a=1", false},
                                    Update{"ellipsoid", "ellipsoid", false},
                                    Update{"volumetric centre", "volumetric-center", true},
                                    Update{"centre of gravity", "gravity-center", true}};

/// The results of one update on one kind of stream, over the seeds.
struct Cell {
  Sample mistakes;
  double bound = 0;        ///< the mean
  double worst_share = 0;  ///< the largest ratio of mistakes to the bound in any run
};
struct Row {
  SeparableStream stream;   ///< with the first seed
  std::vector<Cell> cells;  ///< in the order of `updates`
};

/// The rows of all kinds of streams: first the streams of the adversary, in ascending order of the dimension.
/// THROWS: as `run_jobs`.
std::vector<Row> measure_mistakes(const ExperimentContext& context);

std::string_view text_of(Chooser chooser);

}  // namespace askfew::slides
