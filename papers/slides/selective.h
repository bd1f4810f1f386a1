#pragma once

#include <array>
#include <string>
#include <vector>

#include "askfew/reports/page.h"
#include "askfew/trials/statistics.h"

namespace askfew::slides {

inline constexpr std::array shares{0.025, 0.05, 0.1, 0.2, 0.4};
inline constexpr std::size_t a_tenth = 2;

/// A stream with noise: even its teacher is sometimes wrong.
struct Noisy {
  std::string name;
  std::string stream;  ///< without its seed
};

/// Share of labels and accuracy, in percent.
struct Point {
  Sample share;
  Sample accuracy;
};

/// The results on one stream.
struct Curves {
  Point all;  ///< with every label
  std::vector<Point> selective;
  std::vector<Point> random;
};

void add_verdicts(Page& page, const Noisy& noisy, const Curves& curves);
/// Adds a figure and a table.
void add_curves(Page& page, const Noisy& noisy, const Curves& curves);

}  // namespace askfew::slides
