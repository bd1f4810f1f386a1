#pragma once

#include <functional>

#include "askfew/trials/dataset.h"

#include "papers/experiment.h"
#include "papers/moroshko_2014/paper.h"

namespace askfew::moroshko_2014 {

/// One draw of a stream whose target shifts.
struct Repetition {
  Dataset data;
  std::vector<std::uint32_t> rows;  ///< their order
  std::uint64_t seed = 0;           ///< of the coins
};

/// Where repetitions come from. The k-th one is the same whenever it is drawn; norms are as they come, or 1.
struct Source {
  std::string name;
  std::string key;  ///< says all that repetitions depend on, besides k
  Kind kind = Kind::gaussian;
  std::size_t rounds = 0;
  // Repetitions for tuning: those on which the scale of a rule is turned, the first of those on which
  // settings are judged.
  std::uint64_t to_turn = 1;
  std::uint64_t to_judge = 1;
  std::function<Repetition(std::uint64_t k, bool unit_norms)> draw;
};

/// Repetitions from here on are for tuning, those before it for the report.
inline constexpr std::uint64_t tuning_from = 500;

Source shifting_gaussian(const ExperimentContext& context);
/// THROWS: FileError if the digits are not there.
Source shifting_usps(const ExperimentContext& context);

}  // namespace askfew::moroshko_2014
