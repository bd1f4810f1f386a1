#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "askfew/system/temporary_file.h"

#include "apps/cli/commands/bench/data.h"
#include "apps/cli/commands/bench/limits.h"
#include "apps/cli/commands/bench/measures.h"
#include "apps/cli/commands/bench/memory_stream.h"

namespace askfew::cli {

/// What this machine can do, and what askfew does on it: for every format, and values as the world writes
/// them, reading alone, and a whole run from a file that is in the page cache; for every format learning
/// alone from memory.
class Benchmark {
 public:
  struct Options {
    std::size_t rows = 0;
    unsigned threads = 1;
  };

  explicit Benchmark(const Options& options);

  /// Measures everything once more. THROWS: DataError, if what is measured gives a wrong answer.
  void repeat();
  [[nodiscard]] std::vector<Speed> speeds() const { return speeds_of(measures_); }
  [[nodiscard]] std::size_t text_bytes() const { return texts_.front().size(); }

 private:
  struct File {
    File(std::string_view format_name, const std::string& bytes) : format(format_name), file(bytes) {}

    std::string format;
    TemporaryFile file;
    std::unique_ptr<MemoryStream> examples;
  };

  void add_limits();
  void add_loop(const BenchFormat& format, const BenchValues& values);
  void add_text(const BenchFormat& format, const BenchValues& values);
  [[nodiscard]] std::unique_ptr<Stream> open(const File& file) const;
  void read(const File& file) const;
  void run(Stream& stream) const;
  void expect(bool right, const std::string& name) const;

  Options options_;
  BenchData data_;
  DotLoop dot_loop_;
  std::vector<std::uint64_t> memory_;
  std::deque<std::string> texts_;  // of the loops
  std::deque<File> files_;         // which do not move
  std::vector<Measure> measures_;
};

}  // namespace askfew::cli
