#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace askfew::cli {

/// Made-up news in plain arrays: 47,236 words with Zipf's frequencies as the RCV1 corpus has, 75 of them a
/// row; the labels are a random teacher's, some of them wrong.
struct BenchData {
  static constexpr std::uint32_t dimension = 47'236;

  std::vector<std::size_t> begin{0};  ///< of each row, and the end of the last
  std::vector<std::uint32_t> indices;
  std::vector<std::uint32_t> millionths;  ///< the values
  std::vector<int> labels;                ///< -1 or +1

  [[nodiscard]] std::size_t rows() const { return labels.size(); }
};

BenchData make_bench_data(std::size_t rows);

/// A way to write values, such as that of printf with %g.
struct BenchValues {
  std::string_view name;
  void (*append)(std::uint32_t millionths, std::string& line);
};

/// A file format that is measured: its name, how rows are written in it, and the plain loop over such text.
struct BenchFormat {
  std::string_view name;
  std::string (*text)(const BenchData& data, const BenchValues& values);
  bool is_table = false;               ///< numbers alone, without indices
  std::span<const BenchValues> kinds;  ///< the first one is learned from as well
};

/// A new line in here is measured like all others.
std::span<const BenchFormat> bench_formats();

}  // namespace askfew::cli
