#include "askfew/streams/open.h"

#include <fmt/core.h>
#include <utility>

#include "askfew/streams/files_stream.h"
#include "askfew/streams/formats/formats.h"
#include "askfew/streams/formats/synthetic/synthetic.h"
#include "askfew/streams/record_stream.h"
#include "askfew/streams/time_order.h"

namespace askfew {
namespace {

const FormatEntry& choose(const Opening& file) {
  const std::string& name = file.options.format;
  const bool follows_table = name == "auto" && file.options.schema;
  for (const FormatEntry& entry : all_formats()) {
    // What follows a table is one.
    if (follows_table && entry.name != "cache" && entry.name != "arff" && entry.name != "csv") continue;
    const bool fits = name == "auto"
                          ? entry.recognizes(file.source.peek()) || entry.recognizes_name(file.path) ||
                                (follows_table && entry.name == "csv")
                          : name == entry.name;
    if (fits) return entry;
  }
  throw ConfigError(fmt::format("format '{}' is not one of: auto, {}", name, format_names()));
}

std::vector<Origin> origins_of(const FormatEntry& entry, const Opening& file) {
  std::vector<Origin> origins{origin_of(file.path)};
  origins[0].format = entry.name;
  origins[0].reading = entry.reading(file.options);
  if (const std::string beside = entry.beside(file.path, file.options); !beside.empty()) {
    origins.push_back(origin_of(beside));
  }
  return origins;
}

std::unique_ptr<Stream> open_file(const std::string& path, const StreamOptions& options,
                                  std::shared_ptr<LabelNames> labels) {
  if (is_synthetic(path)) return open_synthetic(path, options);
  auto source = std::make_unique<ByteSource>(path, options.stop);
  const Opening file{*source, path, options, std::move(labels)};
  const FormatEntry& entry = choose(file);
  std::vector<Origin> origins = origins_of(entry, file);
  auto format = entry.open(file);
  return std::make_unique<RecordStream>(
      std::move(source), std::move(format),
      RecordStream::Options{.bias = options.features.bias,
                            .normalize = options.features.normalize && !options.features.need_state(),
                            .threads = options.threads,
                            .chunk = options.chunk,
                            .skipped = options.skipped,
                            .stop = options.stop,
                            .origins = std::move(origins)});
}

/// The options of a file that follows others in one stream: tables have the columns of the first, and no
/// instance has more features, if the format of the first fixes their number.
StreamOptions after(const StreamFacts& before, StreamOptions options) {
  if (before.table) options.schema = *before.table;
  if (before.dimension != 0 && options.dimension == 0) {
    options.dimension = before.dimension - (options.features.bias == 0 ? 0 : 1);
  }
  return options;
}

}  // namespace

std::string format_names() {
  std::string names;
  for (const FormatEntry& entry : all_formats())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  return names;
}

std::unique_ptr<Stream> open_stream(std::span<const std::string> paths, const StreamOptions& options) {
  if (options.order == Order::time) {
    StreamOptions as_written = options;
    as_written.order = Order::file;
    return std::make_unique<TimeOrder>(open_stream(paths, as_written), options.skipped, options.stop);
  }
  const auto labels = std::make_shared<LabelNames>();
  if (paths.size() == 1) return open_file(paths[0], options, labels);
  return std::make_unique<FilesStream>(std::vector<std::string>(paths.begin(), paths.end()), options.skipped,
                                       [options, labels](const std::string& path, const StreamFacts& before) {
                                         return open_file(path, after(before, options), labels);
                                       });
}

std::unique_ptr<Stream> open_stream(const std::string& path, const StreamOptions& options) {
  return open_stream(std::span(&path, 1), options);
}

}  // namespace askfew
