#include "askfew/reports/figure.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

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

std::string script_of_axis(std::string_view name, const Axis& axis) {
  std::string script = fmt::format("set {}label {}\n", name, in_single_quotes(axis.title));
  if (axis.logarithmic) script += fmt::format("set logscale {}\n", name);
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

std::string script_of(const Figure& figure) {
  std::string script =
      "set terminal svg size 720,440 dynamic enhanced font 'sans-serif,13' background '#ffffff'\n"
      "set termoption noenhanced\nset border 3\nset tics nomirror out\nset grid ytics lc rgb '#dddddd'\n"
      "set key outside right top vertical Left reverse samplen 2\nset boxwidth 0.8 relative\nset pointsize "
      "0.6\n";
  if (!figure.title.empty()) script += fmt::format("set title {}\n", in_single_quotes(figure.title));
  script += script_of_axis("x", figure.x) + script_of_axis("y", figure.y);
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
    const std::string_view colour = colours[k % colours.size()];
    if (!series.low.empty() && ++bands <= max_bands) {
      plots +=
          fmt::format("{}$data{} using 1:3:4 with filledcurves fc rgb '{}' fs transparent solid 0.15 notitle",
                      plots.empty() ? "" : ", ", k, colour);
    }
    plots += fmt::format("{}$data{} using 1:2 with {} lw 2 lc rgb '{}' dt {} pt {} title {}",
                         plots.empty() ? "" : ", ", k, words_of(series.style), colour, 1 + k / colours.size(),
                         5 + 2 * (k % 5), in_single_quotes(series.title));
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

std::string svg_of(const Figure& figure) {
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
  const std::string title =
      figure.title.empty() ? fmt::format("{} against {}", figure.y.title, figure.x.title) : figure.title;
  replace_between("<title>", "</title>", escaped_svg(title), drawing);
  replace_between("<desc>", "</desc>", escaped_svg(description_of(figure)), drawing);
  drawing.replace(0, std::string_view("<svg").size(), "<svg role=\"img\"");
  return drawing;
}

}  // namespace askfew
