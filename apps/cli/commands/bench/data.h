#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string_view>
#include <vector>

namespace askfew::cli {

/// Made-up news in plain arrays: 47,236 words with Zipf's frequencies as the RCV1 corpus has, 75 of them a
/// row, values of six digits; the labels are a random teacher's, some of them wrong.
struct BenchData {
  static constexpr std::uint32_t dimension = 47'236;

  std::vector<std::size_t> begin{0};  ///< of each row, and the end of the last
  std::vector<std::uint32_t> indices;
  std::vector<std::uint32_t> millionths;  ///< the values
  std::vector<int> labels;                ///< -1 or +1

  [[nodiscard]] std::size_t rows() const { return labels.size(); }
};

BenchData make_bench_data(std::size_t rows);

/// A file format that is measured: its name, and how rows are written in it.
struct BenchFormat {
  std::string_view name;
  void (*write)(const BenchData& data, std::ostream& out);
};

/// A new line in here is measured like all others.
std::span<const BenchFormat> bench_formats();

}  // namespace askfew::cli
