#include "apps/cli/commands/bench/benchmark.h"

#include <sstream>

#include "askfew/models/model.h"
#include "askfew/streams/open.h"

namespace askfew::cli {
namespace {

// The places of the limits among the measures.
constexpr std::size_t parse_limit = 1;
constexpr std::size_t dot_limit = 2;
constexpr std::size_t memory_bytes = std::size_t{1} << 28;  // more than most caches have

std::string text_of(const BenchFormat& format, const BenchData& data) {
  std::ostringstream out;
  format.write(data, out);
  return std::move(out).str();
}

/// One task of the selective Perceptron.
ModelConfig config() {
  return {.sampler = parse_preset("sel-p"), .seed = 1};
}

}  // namespace

Benchmark::Benchmark(const Options& options)
    : options_(options),
      data_(make_bench_data(options.rows)),
      text_(text_of(bench_formats().front(), data_)),
      dot_loop_(data_),
      memory_(memory_bytes / sizeof(std::uint64_t), 1) {
  add_limits();
  for (const BenchFormat& format : bench_formats()) add_format(format);
}

void Benchmark::repeat() {
  cli::repeat(measures_);
}

void Benchmark::add_limits() {
  const auto rows = static_cast<double>(data_.rows());
  measures_.push_back({.name = "memory, read", .bytes = static_cast<double>(memory_bytes), .work = [this] {
                         expect(read_memory(memory_, options_.threads) == memory_.size(), "memory");
                       }});
  measures_.push_back(
      {.name = "parse loop", .bytes = static_cast<double>(text_.size()), .examples = rows, .work = [this] {
         expect(parse_loop(text_, options_.threads) == data_.indices.size(), "parse loop");
       }});
  measures_.push_back(
      {.name = "dot loop", .examples = rows, .work = [this] { expect(dot_loop_() > 0, "dot loop"); }});
}

void Benchmark::add_format(const BenchFormat& format) {
  const std::string text = text_of(format, data_);
  File& file = files_.emplace_back(format.name, text);
  file.examples = std::make_unique<MemoryStream>(*open(file));
  const auto add = [&](const char* what, std::size_t limit, std::function<void()> work) {
    measures_.push_back({.name = file.format + what,
                         .bytes = static_cast<double>(text.size()),
                         .examples = static_cast<double>(data_.rows()),
                         .limit = limit,
                         .work = std::move(work)});
  };
  add(", read", parse_limit, [this, &file] { read(file); });
  add(", learn", dot_limit, [this, &file] { run(*file.examples); });
  measures_.back().bytes = 0;
  add(", run", parse_limit, [this, &file] { run(*open(file)); });
}

std::unique_ptr<Stream> Benchmark::open(const File& file) const {
  return open_stream(file.file.path(), {.format = file.format, .threads = options_.threads});
}

void Benchmark::read(const File& file) const {
  const auto stream = open(file);
  Examples block;
  std::size_t rows = 0;
  auto more = stream->next(block);
  for (; more && *more; more = stream->next(block)) rows += block.size();
  expect(rows == data_.rows(), file.format);
}

void Benchmark::run(Stream& stream) const {
  const ModelConfig model = config();
  std::vector<Task> tasks = make_tasks(model);
  const auto rounds = run_loop(stream, model.labels.labelling(stream), tasks, {.threads = options_.threads});
  expect(rounds && *rounds == data_.rows(), stream.name());
}

void Benchmark::expect(bool right, const std::string& name) const {
  if (!right) throw DataError({.why = "a wrong answer", .file = name});
}

}  // namespace askfew::cli
