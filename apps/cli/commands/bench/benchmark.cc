#include "apps/cli/commands/bench/benchmark.h"

#include <algorithm>

#include "askfew/models/model.h"
#include "askfew/streams/open.h"

namespace askfew::cli {
namespace {

constexpr std::size_t dot_limit = 1;                        // its place among the measures
constexpr std::size_t memory_bytes = std::size_t{1} << 28;  // more than most caches have

std::string name_of(std::string_view what, const BenchValues& values) {
  return std::string(what) + (values.name.empty() ? "" : " ") + std::string(values.name);
}
std::string name_of_loop(const BenchFormat& format, const BenchValues& values) {
  return name_of(format.is_table ? "csv loop" : "parse loop", values);
}

/// One task of the selective Perceptron.
ModelConfig config() {
  return {.sampler = parse_preset("sel-p"), .seed = 1};
}

}  // namespace

Benchmark::Benchmark(const Options& options)
    : options_(options),
      data_(make_bench_data(options.rows)),
      dot_loop_(data_),
      memory_(memory_bytes / sizeof(std::uint64_t), 1) {
  add_limits();
  for (const BenchFormat& format : bench_formats()) {
    for (const BenchValues& values : format.kinds) add_text(format, values);
  }
}

void Benchmark::repeat() {
  cli::repeat(measures_);
}

void Benchmark::add_limits() {
  measures_.push_back({.name = "memory, read", .bytes = static_cast<double>(memory_bytes), .work = [this] {
                         expect(read_memory(memory_, options_.threads) == memory_.size(), "memory");
                       }});
  measures_.push_back({.name = "dot loop", .examples = static_cast<double>(data_.rows()), .work = [this] {
                         expect(dot_loop_() > 0, "dot loop");
                       }});
}

/// The loop comes right before what is compared with it, unless an earlier format has the same loop.
void Benchmark::add_loop(const BenchFormat& format, const BenchValues& values) {
  const std::string& text = texts_.emplace_back(format.text(data_, values));
  measures_.push_back({.name = name_of_loop(format, values),
                       .bytes = static_cast<double>(text.size()),
                       .examples = static_cast<double>(data_.rows()),
                       .work = [this, &text, is_table = format.is_table] {
                         expect(parse_loop(text, is_table, options_.threads) == data_.indices.size(),
                                "parse loop");
                       }});
}

void Benchmark::add_text(const BenchFormat& format, const BenchValues& values) {
  const auto is_its_loop = [&](const Measure& measure) {
    return measure.name == name_of_loop(format, values);
  };
  if (std::ranges::none_of(measures_, is_its_loop)) add_loop(format, values);
  const auto loop =
      static_cast<std::size_t>(std::ranges::find_if(measures_, is_its_loop) - measures_.begin());
  const std::string text = format.text(data_, values);
  File& file = files_.emplace_back(format.name, text);
  const auto add = [&](const char* what, std::size_t limit, std::function<void()> work) {
    measures_.push_back({.name = name_of(format.name, values) + what,
                         .bytes = static_cast<double>(text.size()),
                         .examples = static_cast<double>(data_.rows()),
                         .limit = limit,
                         .work = std::move(work)});
  };
  add(", read", loop, [this, &file] { read(file); });
  if (values.name.empty() && !format.is_table) {
    file.examples = std::make_unique<MemoryStream>(*open(file));
    add(", learn", dot_limit, [this, &file] { run(*file.examples); });
    measures_.back().bytes = 0;
  }
  add(", run", loop, [this, &file] { run(*open(file)); });
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
