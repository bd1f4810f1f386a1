#pragma once

#include <functional>

#include "askfew/trials/dataset.h"

#include "papers/experiment.h"
#include "papers/moroshko_2014/paper.h"

namespace askfew::moroshko_2014 {

/// One draw of a stream whose target shifts.
struct Repetition {
  Dataset data;
  std::vector<std::uint32_t> rows;  ///< in the order of the rounds
  std::uint64_t seed = 0;           ///< seed of the coins
};

/// A source of repetitions. The k-th repetition is always the same. The norms of its instances are those of
/// the data, or 1.
struct Source {
  std::string name;
  std::string key;  ///< everything that repetitions depend on, except k
  Kind kind = Kind::gaussian;
  std::size_t rounds = 0;
  // Numbers of repetitions for tuning: settings are compared on `to_judge` repetitions; the scale of a rule
  // is searched on the first `to_turn` of them.
  std::uint64_t to_turn = 1;
  std::uint64_t to_judge = 1;
  std::function<Repetition(std::uint64_t k, bool unit_norms)> draw;
};

/// Repetitions from this number on are for tuning, those before it for the report.
inline constexpr std::uint64_t tuning_from = 500;

Source shifting_gaussian(const ExperimentContext& context);
/// THROWS: FileError if the digits are missing.
Source shifting_usps(const ExperimentContext& context);

}  // namespace askfew::moroshko_2014
