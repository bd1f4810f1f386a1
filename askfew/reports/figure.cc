#include "askfew/reports/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>

#include "askfew/core/errors.h"
#include "askfew/system/process.h"
#include "askfew/system/unnamed_file.h"

namespace askfew {
namespace {

/// Paul Tol's bright colours and two more: people with red-green colour blindness can distinguish them.
constexpr std::array colours{"#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE",
                             "#AA3377", "#888888", "#000000", "#EE7733", "#44AA99"};

constexpr std::size_t max_bands = 5;  // more cover each other

/// A text in gnuplot's single quotes.
std::string in_single_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

/// The smallest and the largest number above 0.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;

  void add(const std::vector<double>& values) {
    for (const double value : values) {
      if (!(value > 0) || !std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
};

/// A logarithmic axis that fits its data: gnuplot would begin and end it at powers of ten.
std::string script_of_logarithms(std::string_view name, const Extent& extent) {
  constexpr double room = 1.15;  // beside the outermost points
  if (extent.high == 0) return fmt::format("set logscale {}\n", name);
  const double low = extent.low / room;
  const double high = extent.high * room;
  // 1, 2, 5, 10, 20, ..., or only the powers of ten where these are enough.
  std::string all;
  std::string tens;
  std::size_t count = 0;
  constexpr int most = 30;
  for (int exponent = -most; exponent <= most; ++exponent) {
    for (const char* digit : {"1", "2", "5"}) {
      const std::string tic = fmt::format("{}e{}", digit, exponent);
      const double value = std::stod(tic);
      if (value < low || value > high) continue;
      const std::string entry = fmt::format("'{0:g}' {0:g}", value);
      (all += all.empty() ? "" : ", ") += entry;
      if (*digit == '1') (tens += tens.empty() ? "" : ", ") += entry;
      ++count;
    }
  }
  constexpr std::size_t enough = 9;
  return fmt::format("set logscale {0}\nset {0}range [{1}:{2}]\nset {0}tics ({3})\n", name, low, high,
                     count > enough ? tens : all);
}

std::string script_of_axis(std::string_view name, const Axis& axis, const Extent& extent) {
  std::string script = fmt::format("set {}label {}\n", name, in_single_quotes(axis.title));
  if (axis.logarithmic) script += script_of_logarithms(name, extent);
  if (axis.low != 0 || axis.high != 0)
    script += fmt::format("set {}range [{}:{}]\n", name, axis.low, axis.high);
  if (!axis.names.empty()) {
    script += fmt::format("set {}tics (", name);
    for (std::size_t k = 0; k < axis.names.size(); ++k) {
      script += fmt::format("{}{} {}", k == 0 ? "" : ", ", in_single_quotes(axis.names[k]), k);
    }
    script += fmt::format(") {}\n", axis.names.size() > 6 ? "rotate by -40" : "");
  }
  return script;
}

std::string_view words_of(Series::Style style) {
  switch (style) {
    case Series::Style::lines:
      return "lines";
    case Series::Style::points:
      return "points";
    case Series::Style::bars:
      return "boxes fill solid 0.6 noborder";
    case Series::Style::lines_and_points:
      break;
  }
  return "linespoints";
}

std::string data_of(const Series& series) {
  std::string data;
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    if (!std::isfinite(series.y[k])) {
      data += '\n';  // a gap
      continue;
    }
    data += fmt::format("{} {}", series.x[k], series.y[k]);
    if (!series.low.empty()) data += fmt::format(" {} {}", series.low[k], series.high[k]);
    data += '\n';
  }
  return data;
}

/// Small enough for a telephone: the legend is below, and its rows make the figure higher.
std::string script_of_frame(const Figure& figure) {
  constexpr std::size_t columns = 3;
  constexpr std::size_t row_height = 22;
  const std::size_t rows = (figure.series.size() + columns - 1) / columns;
  std::string script = fmt::format(
      "set terminal svg size 600,{} dynamic enhanced font 'sans-serif,14' background '#ffffff'\n"
      "set termoption noenhanced\nset border 3\nset tics nomirror out\nset grid ytics lc rgb '#dddddd'\n"
      "set key below center horizontal Left reverse samplen 2 height 1 maxcols {}\nset boxwidth 0.8 "
      "relative\n"
      "set pointsize 0.6\n",
      390 + row_height * rows, columns);
  if (!figure.title.empty()) script += fmt::format("set title {}\n", in_single_quotes(figure.title));
  return script;
}

std::string script_of(const Figure& figure) {
  Extent of_x;
  Extent of_y;
  for (const Series& series : figure.series) {
    of_x.add(series.x);
    for (const std::vector<double>* values : {&series.y, &series.low, &series.high}) of_y.add(*values);
  }
  std::string script =
      script_of_frame(figure) + script_of_axis("x", figure.x, of_x) + script_of_axis("y", figure.y, of_y);
  for (const double mark : figure.marks) {
    script += fmt::format(
        "set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dt 3 lc rgb '#999999'\n", mark);
  }
  for (std::size_t k = 0; k < figure.series.size(); ++k) {
    script += fmt::format("$data{} << END_OF_DATA\n{}END_OF_DATA\n", k, data_of(figure.series[k]));
  }
  std::string plots;
  std::size_t bands = 0;
  for (std::size_t k = 0; k < figure.series.size(); ++k) {
    const Series& series = figure.series[k];
    const std::size_t look = series.look.value_or(k);
    const std::string_view colour = colours[look % colours.size()];
    constexpr std::size_t markers = 5;
    const std::size_t marker = (look + look / colours.size()) % markers;
    if (!series.low.empty() && ++bands <= max_bands) {
      plots +=
          fmt::format("{}$data{} using 1:3:4 with filledcurves fc rgb '{}' fs transparent solid 0.15 notitle",
                      plots.empty() ? "" : ", ", k, colour);
    }
    plots += fmt::format("{}$data{} using 1:2 with {} lw 2 lc rgb '{}' dt {} pt {} title {}",
                         plots.empty() ? "" : ", ", k, words_of(series.style), colour,
                         1 + look / colours.size(), 5 + 2 * marker, in_single_quotes(series.title));
  }
  return script + "plot " + plots + "\n";
}

std::string escaped_svg(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

/// What a screen reader says instead of the drawing: the title, and where each series begins and ends.
std::string description_of(const Figure& figure) {
  std::string text = fmt::format("{} against {}.", figure.y.title, figure.x.title);
  for (const Series& series : figure.series) {
    if (series.x.empty()) continue;
    text += fmt::format(" {}: from {:.4g} at {:.4g} to {:.4g} at {:.4g}.", series.title, series.y.front(),
                        series.x.front(), series.y.back(), series.x.back());
  }
  return text;
}

/// Replaces what is between two marks, if both are there.
void replace_between(std::string_view open, std::string_view close, const std::string& by,
                     std::string& text) {
  const std::size_t begin = text.find(open);
  const std::size_t end = begin == std::string::npos ? begin : text.find(close, begin);
  if (end == std::string::npos) return;
  text.replace(begin + open.size(), end - begin - open.size(), by);
}

}  // namespace

std::string svg_of(const Figure& figure, std::string_view spoken) {
  const UnnamedFile script(script_of(figure));
  const UnnamedFile drawn;
  const auto fail = [](const std::string& why) {
    throw FileError("a figure needs gnuplot (Debian package gnuplot-nox): " + why);
  };
  int code = 0;
  try {
    code = run_process({.arguments = {"gnuplot", "--default-settings"},
                        .input = script.descriptor(),
                        .output = drawn.descriptor(),
                        .errors = drawn.descriptor()});
  } catch (const FileError& error) {
    fail(error.what());
  }
  const std::string text = drawn.content();
  const std::size_t svg = text.find("<svg");
  if (code != 0 || svg == std::string::npos) fail("it said: " + text.substr(0, text.find('\n')));
  std::string drawing = text.substr(svg);
  const std::string title = !figure.title.empty() ? figure.title
                            : !spoken.empty()     ? std::string(spoken)
                                              : fmt::format("{} against {}", figure.y.title, figure.x.title);
  replace_between("<title>", "</title>", escaped_svg(title), drawing);
  replace_between("<desc>", "</desc>", escaped_svg(description_of(figure)), drawing);
  drawing.replace(0, std::string_view("<svg").size(), "<svg role=\"img\"");
  return drawing;
}

}  // namespace askfew
