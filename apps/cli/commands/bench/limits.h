#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "apps/cli/commands/bench/data.h"

namespace askfew::cli {

// What a machine can do at most: loops that do nothing but the work itself, written as a programmer would who
// needs nothing else.

/// Reads memory on so many threads, and returns a sum of it, so that the reading is not left out.
std::uint64_t read_memory(const std::vector<std::uint64_t>& memory, unsigned threads);

/// The plain parse loop over text in memory: `index:value` pairs, or a table of numbers with a header, into
/// arrays, 256 KiB at a time, no checks at all. Returns the number of values. REQUIRES: well-formed lines, as
/// `bench_formats` writes them.
std::uint64_t parse_loop(std::string_view text, bool is_table, unsigned threads);

/// The plain Perceptron: a sparse dot product and, on a mistake, a sparse update. Returns the mistakes.
class DotLoop {
 public:
  explicit DotLoop(const BenchData& data);
  [[nodiscard]] std::uint64_t operator()() const;

 private:
  const BenchData& data_;
  std::vector<double> values_;
};

}  // namespace askfew::cli
