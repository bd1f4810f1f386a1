#include "apps/cli/commands/bench/data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <iterator>
#include <random>
#include <string>

namespace askfew::cli {
namespace {

constexpr std::size_t words_a_row = 75;
constexpr double wrong_labels = 0.05;

/// Rows as text, with what stands between the label and the first word.
std::string pairs(const BenchData& data, const BenchValues& values, std::string_view behind_label) {
  std::string text;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    text += data.labels[row] > 0 ? "+1" : "-1";
    text += behind_label;
    for (std::size_t k = data.begin[row]; k < data.begin[row + 1]; ++k) {
      fmt::format_to(std::back_inserter(text), " {}:", data.indices[k] + 1);
      values.append(data.millionths[k], text);
    }
    text += '\n';
  }
  return text;
}

/// The values alone, 75 columns.
std::string table(const BenchData& data, const BenchValues& values) {
  std::string text = "label";
  for (std::size_t column = 0; column < words_a_row; ++column) text += fmt::format(",x{}", column);
  text += '\n';
  for (std::size_t row = 0; row < data.rows(); ++row) {
    text += data.labels[row] > 0 ? "1" : "-1";
    for (std::size_t k = data.begin[row]; k < data.begin[row + 1]; ++k) {
      text += ',';
      values.append(data.millionths[k], text);
    }
    text += '\n';
  }
  return text;
}

/// A value that is no short decimal, like a weight of tf-idf.
double long_value(std::uint32_t millionths) {
  return millionths / 2.85e6;
}

// The first are measured in all formats.
constexpr std::array kinds{
    BenchValues{"", [](std::uint32_t v,
                       std::string& line) { fmt::format_to(std::back_inserter(line), "0.{:06}", v); }},
    BenchValues{"%g",
                [](std::uint32_t v, std::string& line) {
                  fmt::format_to(std::back_inserter(line), "{:g}", long_value(v));
                }},
    BenchValues{"%.17g",
                [](std::uint32_t v, std::string& line) {
                  fmt::format_to(std::back_inserter(line), "{:.17g}", long_value(v));
                }},
    BenchValues{
        "integers",
        [](std::uint32_t v, std::string& line) { fmt::format_to(std::back_inserter(line), "{}", v / 1000); }},
    BenchValues{"ones", [](std::uint32_t /*v*/, std::string& line) { line += '1'; }},
    BenchValues{"%e",
                [](std::uint32_t v, std::string& line) {
                  fmt::format_to(std::back_inserter(line), "{:e}", long_value(v));
                }},
    BenchValues{"signs",
                [](std::uint32_t v, std::string& line) {
                  fmt::format_to(std::back_inserter(line), "{:g}",
                                 v % 2 == 0 ? long_value(v) : -long_value(v));
                }},
};
constexpr std::span<const BenchValues> all_kinds = kinds;

constexpr std::array formats{
    BenchFormat{
        .name = "svmlight",
        .text = [](const BenchData& data, const BenchValues& values) { return pairs(data, values, ""); },
        .kinds = all_kinds},
    BenchFormat{
        .name = "vw",
        .text = [](const BenchData& data, const BenchValues& values) { return pairs(data, values, " |"); },
        .kinds = all_kinds.first(3)},
    BenchFormat{.name = "csv", .text = table, .is_table = true, .kinds = all_kinds.first(4)},
};

}  // namespace

BenchData make_bench_data(std::size_t rows) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  std::vector<double> teacher(BenchData::dimension);
  for (double& u : teacher) u = normal(random);
  BenchData data;
  std::vector<std::uint32_t> words;
  for (std::size_t row = 0; row < rows; ++row) {
    words.clear();
    while (words.size() < words_a_row) {
      // Zipf: the rank's logarithm is uniform.
      while (words.size() < words_a_row + words_a_row / 2) {
        words.push_back(static_cast<std::uint32_t>(std::pow(BenchData::dimension, uniform(random))) - 1);
      }
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
    }
    double score = 0;
    // Too many were drawn: those that stay are spread over all of them.
    for (std::size_t k = 0; k < words_a_row; ++k) {
      const std::uint32_t word = words[k * words.size() / words_a_row];
      const auto value = static_cast<std::uint32_t>(10'000 + 190'000 * uniform(random));
      score += teacher[word] * value;
      data.indices.push_back(word);
      data.millionths.push_back(value);
    }
    data.begin.push_back(data.indices.size());
    data.labels.push_back((score > 0) != (uniform(random) < wrong_labels) ? 1 : -1);
  }
  return data;
}

std::span<const BenchFormat> bench_formats() {
  return formats;
}

}  // namespace askfew::cli
