#include "askfew/workflows/seed_data.h"

#include <filesystem>
#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/streams/byte_source.h"
#include "askfew/streams/formats/json/jsonl.h"
#include "askfew/workflows/input_data.h"
#include "askfew/workflows/pool_stream.h"
#include "askfew/workflows/watched_stream.h"

namespace askfew {
namespace {

std::shared_ptr<const SeedKnowledge> seeds_of(Stream& stream, const std::string& name,
                                              const ModelConfig& config, const Usage& usage) {
  auto seeds = learn_seeds(config, stream, usage);
  if (!seeds) throw DataError(seeds.error());
  if (seeds->labels.count == 0) throw DataError({.why = "no example with a label in it", .file = name});
  return std::make_shared<const SeedKnowledge>(*std::move(seeds));
}

void expect_a_file(const InputData& data) {
  if (data.can_be_read_twice()) return;
  throw ConfigError(
      fmt::format("`seed_labels` {}: there is no such file, or it is not a file that can be read twice",
                  in_quotes(data.name())));
}

/// A run on its own seeds would know every label that it is to predict.
void expect_other_files(const std::string& seeds, const std::vector<std::string>& data) {
  for (const std::string& path : data) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(seeds, path, ignored)) continue;
    throw ConfigError(
        fmt::format("`seed_labels` {} is the data itself: the run would predict labels that it has learned",
                    in_quotes(seeds)));
  }
}

}  // namespace

std::shared_ptr<const SeedKnowledge> seeds_of_run(const std::string& path, const DataOptions& data,
                                                  const ModelConfig& config, const Usage& usage,
                                                  const Hooks& hooks) {
  const DataOptions options{.paths = {path},
                            .format = data.format,
                            .on_error = data.on_error,
                            .unlabelled = data.unlabelled,
                            .threads = data.threads,
                            .max_line = data.max_line,
                            .max_memory = data.max_memory};
  InputData seeds(options, hooks);
  expect_a_file(seeds);
  expect_other_files(path, data.paths);
  const auto stream = seeds.open(config, InputData::Labels::needed, "the model");
  const auto learned = seeds_of(*stream, path, config, usage);
  seeds.tell_skipped();
  static_cast<void>(seeds.check(*stream, false));
  return learned;
}

std::shared_ptr<const SeedKnowledge> seeds_of_session(const std::string& path, const ModelConfig& config,
                                                      const Usage& usage, const Doubt& doubt) {
  const DataOptions options{.paths = {path}, .format = "jsonl"};
  Hooks hooks;
  hooks.doubt = doubt;
  InputData seeds(options, hooks);
  expect_a_file(seeds);
  if (!JsonlFormat::recognizes(ByteSource(path).peek())) {
    return seeds_of_texts({path}, config.table, config, usage, doubt);
  }
  const auto stream = seeds.open(config);
  auto learned = seeds_of(*stream, path, config, usage);
  static_cast<void>(seeds.check(*stream, false));
  return learned;
}

std::shared_ptr<const SeedKnowledge> seeds_of_texts(const std::vector<std::string>& paths,
                                                    const TableOptions& table, const ModelConfig& config,
                                                    const Usage& usage, const Doubt& doubt) {
  ModelConfig reading = config;
  reading.table = table;
  auto texts = std::make_unique<PoolStream>(paths, reading, PoolStream::Labels::left_out, nullptr);
  const auto seen = std::make_shared<SeenLabels>(config.labels, *texts);
  WatchedStream stream(std::move(texts), nullptr, {.labels = seen});
  auto learned = seeds_of(stream, paths[0], config, usage);
  if (doubt) {
    for (const std::string& sentence : seen->doubts()) doubt(fmt::format("{}: {}", paths[0], sentence));
  }
  return learned;
}

}  // namespace askfew
