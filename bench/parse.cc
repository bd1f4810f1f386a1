// Measures the speed of reading text, as a ratio to a plain loop over the same text in the same run. The loop
// turns digits to numbers, writes the numbers into arrays, and checks nothing. One thread, text in memory.
//
// Each repetition runs the loop and then the parser; `ratio` is the median of the quotients of their speeds:
// 1 is as fast as the loop.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <string>

#include "askfew/streams/formats/svmlight/svmlight_parser.h"
#include "askfew/streams/formats/vw/vw_parser.h"

#include "apps/cli/commands/bench/data.h"
#include "apps/cli/commands/bench/limits.h"
#include "bench/measure.h"

namespace askfew {
namespace {

using bench::median;
using bench::seconds_of;

constexpr std::size_t rows = 2000;
constexpr std::size_t chunk_size = std::size_t{1} << 18;

const cli::BenchData& data() {
  static const cli::BenchData made = cli::make_bench_data(rows);
  return made;
}

/// Lines whose features are written by `pair(index, millionths)`.
std::string lines(std::string_view head,
                  const std::function<std::string(std::uint32_t, std::uint32_t)>& pair) {
  std::string text(Chunk::padding, ' ');
  for (std::size_t row = 0; row < rows; ++row) {
    text += data().labels[row] > 0 ? "+1" : "-1";
    text += head;
    for (std::size_t k = data().begin[row]; k < data().begin[row + 1]; ++k) {
      text += ' ' + pair(data().indices[k] + 1, data().millionths[k]);
    }
    text += '\n';
  }
  text.append(Chunk::padding, ' ');
  return text;
}

std::string six_digits(std::uint32_t index, std::uint32_t millionths) {
  return fmt::format("{}:0.{:06}", index, millionths);
}
std::string sixteen_digits(std::uint32_t index, std::uint32_t millionths) {
  return fmt::format("{}:{:.16f}", index, millionths / 1e6 / 3);
}
std::string ones(std::uint32_t index, std::uint32_t /*millionths*/) {
  return fmt::format("{}:1", index);
}
std::string word(std::uint32_t index, std::uint32_t /*millionths*/) {
  return fmt::format("w{}", index);
}

/// Parses every line with the careful reader, to which the fast reader leaves unusual lines.
class CarefulParser final : public Parser {
 public:
  void parse(const Chunk& chunk, ParsedChunk& out) override {
    parse_lines(chunk, out,
                [](std::string_view line, Examples& block) { return read_svmlight_line(line, {}, block); });
  }
};

/// Parses a padded text chunk by chunk and returns the number of examples.
std::size_t parse_all(const std::string& padded, Parser& parser, ParsedChunk& out) {
  std::string_view rest(padded);
  rest = rest.substr(Chunk::padding, rest.size() - 2 * Chunk::padding);
  std::size_t examples = 0;
  while (!rest.empty()) {
    const std::size_t size = rest.size() <= chunk_size ? rest.size() : rest.rfind('\n', chunk_size) + 1;
    out.clear();
    parser.parse({.bytes = rest.substr(0, size)}, out);
    examples += out.examples.size();
    rest.remove_prefix(size);
  }
  return examples;
}

/// `loop_text` has the same features in the format that the plain loop can read.
void parsing(benchmark::State& state, Parser& parser, const std::string& text, const std::string& loop_text) {
  std::string_view plain(loop_text);
  plain = plain.substr(Chunk::padding, plain.size() - 2 * Chunk::padding);
  ParsedChunk out;
  std::vector<double> ratios;
  for ([[maybe_unused]] const auto _ : state) {
    const double loop = seconds_of([&] { benchmark::DoNotOptimize(cli::parse_loop(plain, 1)); });
    std::size_t examples = 0;
    const double seconds = seconds_of([&] { examples = parse_all(text, parser, out); });
    if (examples != rows) state.SkipWithError("wrong answer");
    ratios.push_back(loop / seconds * static_cast<double>(text.size()) /
                     static_cast<double>(loop_text.size()));
    state.SetIterationTime(seconds);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.counters["ratio"] = median(ratios);
}

void register_one(const char* name, std::shared_ptr<Parser> parser, std::string text, std::string loop_text) {
  benchmark::RegisterBenchmark(name,
                               [parser, text = std::move(text), loop_text = std::move(loop_text)](
                                   benchmark::State& state) { parsing(state, *parser, text, loop_text); })
      ->UseManualTime()
      ->Iterations(51)
      ->Unit(benchmark::kMillisecond);
}

void register_all() {
  const auto svmlight = std::make_shared<SvmlightParser>(SvmlightIndices{});
  const auto vw = std::make_shared<VwParser>(VwHash(18));
  const std::string six = lines("", six_digits);
  const std::string sixteen = lines("", sixteen_digits);
  const std::string one = lines("", ones);
  register_one("svmlight, six digits", svmlight, six, six);
  register_one("svmlight, sixteen digits", svmlight, sixteen, sixteen);
  register_one("svmlight, ones", svmlight, one, one);
  register_one("svmlight, read carefully", std::make_shared<CarefulParser>(), six, six);
  register_one("vw, six digits", vw, lines(" |", six_digits), six);
  register_one("vw, words", vw, lines(" |", word), one);
}

}  // namespace
}  // namespace askfew

int main(int argc, char** argv) {
  askfew::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
