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
void write_text(const BenchData& data, std::string_view behind_label, std::ostream& out) {
  std::string line;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    line = data.labels[row] > 0 ? "+1" : "-1";
    line += behind_label;
    for (std::size_t k = data.begin[row]; k < data.begin[row + 1]; ++k) {
      fmt::format_to(std::back_inserter(line), " {}:0.{:06}", data.indices[k] + 1, data.millionths[k]);
    }
    line += '\n';
    out << line;
  }
}

constexpr std::array formats{
    BenchFormat{"svmlight", [](const BenchData& data, std::ostream& out) { write_text(data, "", out); }},
    BenchFormat{"vw", [](const BenchData& data, std::ostream& out) { write_text(data, " |", out); }},
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
