#pragma once

// Figures as SVG, drawn by gnuplot.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace askfew {

/// A line of a figure.
struct Series {
  enum class Style : std::uint8_t { lines, points, lines_and_points, bars };

  std::string title;
  std::vector<double> x{};
  std::vector<double> y{};
  std::vector<double> low{};  ///< lower and upper ends of the band around y; empty: no band
  std::vector<double> high{};
  Style style = Style::lines_and_points;
  std::optional<std::size_t> look{};  ///< number of its colour and marker; nothing: its place in the figure
};

struct Axis {
  std::string title;
  bool logarithmic = false;
  std::vector<std::string> names{};  ///< instead of the numbers 0, 1, 2, ...
  double low = 0;                    ///< range of the axis; both 0: the range of the data
  double high = 0;
};

struct Figure {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series{};
  std::vector<double> marks{};  ///< places on the x axis with a dotted line, e.g. the wanted shares
};

/// A figure as SVG, drawn by gnuplot. The same figure gives the same text. `spoken`: what a screen reader
/// says of a figure without a title. THROWS: FileError if gnuplot is missing or fails.
std::string svg_of(const Figure& figure, std::string_view spoken = {});

}  // namespace askfew
