// Measures the speed of reading text, as a ratio to a plain loop over the same text in the same run. The loop
// turns digits to numbers, writes the numbers into arrays, and checks nothing. One thread, text in memory.
// The formats and the ways to write values are those of `askfew bench`.
//
// Each repetition runs the loop and then the parser; `ratio` is the median of the quotients of their speeds:
// 1 is as fast as the loop.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "askfew/streams/formats/formats.h"
#include "askfew/streams/formats/svmlight/svmlight_line.h"
#include "askfew/streams/formats/vw/vw_parser.h"
#include "askfew/system/temporary_file.h"

#include "apps/cli/commands/bench/data.h"
#include "apps/cli/commands/bench/limits.h"
#include "bench/measure.h"

namespace askfew {
namespace {

using bench::median;
using bench::seconds_of;

constexpr std::size_t rows = 2000;
constexpr std::size_t chunk_size = std::size_t{1} << 18;
constexpr std::size_t ones = 4;  // the place of this kind of values

const cli::BenchData& data() {
  static const cli::BenchData made = cli::make_bench_data(rows);
  return made;
}

std::string padded(const std::string& text) {
  const std::string around(Chunk::padding, ' ');
  return around + text + around;
}

/// Lines of words, without values, as Vowpal Wabbit reads them.
std::string words() {
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    text += data().labels[row] > 0 ? "+1 |" : "-1 |";
    for (std::size_t k = data().begin[row]; k < data().begin[row + 1]; ++k) {
      text += fmt::format(" w{}", data().indices[k] + 1);
    }
    text += '\n';
  }
  return text;
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
std::size_t parse_all(const std::string& text, bool is_table, Parser& parser, ParsedChunk& out) {
  std::string_view rest(text);
  rest = rest.substr(Chunk::padding, rest.size() - 2 * Chunk::padding);
  if (is_table) rest.remove_prefix(rest.find('\n') + 1);
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

/// Texts that are compared. `loop_text` has the same values in the format that the plain loop can read.
struct Texts {
  std::string text;
  std::string loop_text;
  bool is_table = false;
};

void parsing(benchmark::State& state, Parser& parser, const Texts& texts) {
  ParsedChunk out;
  std::vector<double> ratios;
  const std::string text = padded(texts.text);
  for ([[maybe_unused]] const auto _ : state) {
    const double loop =
        seconds_of([&] { benchmark::DoNotOptimize(cli::parse_loop(texts.loop_text, texts.is_table, 1)); });
    std::size_t examples = 0;
    const double seconds = seconds_of([&] { examples = parse_all(text, texts.is_table, parser, out); });
    if (examples != rows) state.SkipWithError("wrong answer");
    ratios.push_back(loop / seconds * static_cast<double>(texts.text.size()) /
                     static_cast<double>(texts.loop_text.size()));
    state.SetIterationTime(seconds);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(texts.text.size()));
  state.counters["ratio"] = median(ratios);
}

void register_one(const std::string& name, std::shared_ptr<Parser> parser, Texts texts) {
  benchmark::RegisterBenchmark(name.c_str(), [parser = std::move(parser), texts = std::move(texts)](
                                                 benchmark::State& state) { parsing(state, *parser, texts); })
      ->UseManualTime()
      ->Iterations(51)
      ->Unit(benchmark::kMillisecond);
}

/// A parser with the format that it needs.
struct Opened {
  explicit Opened(const cli::BenchFormat& bench, const std::string& text)
      : file(text), source(file.path()), options{.format = std::string(bench.name)} {
    format = find_format(bench.name)
                 ->open({.source = source,
                         .path = file.path(),
                         .options = options,
                         .labels = std::make_shared<LabelNames>()});
    parser = format->parser();
  }

  TemporaryFile file;
  ByteSource source;
  StreamOptions options;
  std::unique_ptr<Format> format;
  std::unique_ptr<Parser> parser;
};

void register_all() {
  const auto formats = cli::bench_formats();
  const auto& plain = formats.front();
  for (const auto& format : formats) {
    for (const auto& values : format.kinds) {
      Texts texts{.text = format.text(data(), values),
                  .loop_text = (format.is_table ? format : plain).text(data(), values),
                  .is_table = format.is_table};
      auto opened = std::make_shared<Opened>(format, texts.text);
      Parser* const parser = opened->parser.get();
      const std::string_view kind = values.name.empty() ? "six decimals" : values.name;
      register_one(fmt::format("{}, {}", format.name, kind),
                   std::shared_ptr<Parser>(std::move(opened), parser), std::move(texts));
    }
  }
  const std::string six = plain.text(data(), plain.kinds.front());
  register_one("svmlight, read carefully", std::make_shared<CarefulParser>(),
               {.text = six, .loop_text = six});
  register_one("vw, words", std::make_shared<VwParser>(VwHash(18)),
               {.text = words(), .loop_text = plain.text(data(), plain.kinds[ones])});
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
