#include "askfew/streams/open.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "askfew/streams/chunk_reader.h"
#include "askfew/streams/files_stream.h"
#include "askfew/streams/formats/formats.h"
#include "askfew/streams/formats/synthetic/synthetic.h"
#include "askfew/streams/formats/tables/table_opening.h"
#include "askfew/streams/ordered_stream.h"
#include "askfew/streams/record_stream.h"
#include "askfew/streams/unreadable.h"

namespace askfew {
namespace {

/// The format that the bytes and the name of a file show.
const FormatEntry& guessed(const Opening& file) {
  const auto formats = all_formats();
  return *std::ranges::find_if(formats, [&](const FormatEntry& entry) {
    return entry.recognizes(file.source.peek()) || entry.recognizes_name(file.path);
  });
}

const FormatEntry& choose(const Opening& file) {
  const std::string& name = file.options.format;
  const std::string_view first_bytes = file.source.peek();
  if (std::string why = name == "auto" ? unreadable(first_bytes) : other_unicode(first_bytes); !why.empty()) {
    throw DataError({.why = std::move(why), .file = file.source.name()});
  }
  const bool follows_table = name == "auto" && file.options.schema;
  for (const FormatEntry& entry : all_formats()) {
    // A file after a table is a table, unless it is clearly something else.
    if (follows_table && entry.name != "cache" && entry.name != "arff" && entry.name != "csv" &&
        entry.name != "jsonl") {
      continue;
    }
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

/// What the files of a stream share.
struct Shared {
  std::shared_ptr<ReadingMemory> memory;
  std::shared_ptr<LabelNames> labels;
  bool are_several = false;
};

/// Nothing shows the format of a file without bytes: a message about a format would mislead. THROWS:
/// DataError if the source failed before its first byte, or if an empty file is the only one.
void expect_bytes(ByteSource& source, const StreamOptions& options, const Shared& shared) {
  if (options.format != "auto") return;
  if (!source.peek().empty()) return;
  if (options.stop != nullptr && *options.stop) return;  // the signal also ended the reading
  if (!source.failure().empty()) {
    throw DataError({.line = 1, .column = 1, .why = source.failure(), .file = source.name()});
  }
  if (shared.are_several) return;
  const bool skips = options.unlabelled == Unlabelled::skipped;
  throw DataError(
      {.why = skips ? "no example with a label in it" : "no example in it", .file = source.name()});
}

std::unique_ptr<Format> open_format(const Opening& file, std::vector<Origin>& origins) {
  try {
    const FormatEntry& entry = choose(file);
    origins = origins_of(entry, file);
    return entry.open(file);
  } catch (const OtherColumns& other) {
    const FormatEntry& seems = guessed(file);
    if (file.options.format != "auto" || seems.name == "csv") throw;
    throw OtherColumns(
        {.why = fmt::format("looks like {}, not like a table with the columns that are needed", seems.name),
         .file = other.error().file});
  } catch (const MemoryError& error) {
    throw MemoryError(fmt::format("{}: {}", file.source.name(), error.what()));
  }
}

/// A source with a first byte, and its format.
struct OpenedFile {
  std::unique_ptr<ByteSource> source;
  std::unique_ptr<Format> format;
  std::vector<Origin> origins;
};

OpenedFile open_source(const std::string& path, const StreamOptions& options, const Shared& shared) {
  OpenedFile opened{
      .source = std::make_unique<ByteSource>(
          path, options.stop, ReadingLimits{.max_line = options.max_line, .memory = shared.memory}),
      .format = nullptr,
      .origins = {}};
  expect_bytes(*opened.source, options, shared);
  const Opening file{*opened.source, path, options, shared.labels};
  opened.format = open_format(file, opened.origins);
  return opened;
}

std::unique_ptr<Stream> open_file(const std::string& path, const StreamOptions& options,
                                  const Shared& shared) {
  if (is_synthetic(path)) return open_synthetic(path, options);
  auto [source, format, origins] = open_source(path, options, shared);
  return std::make_unique<RecordStream>(
      std::move(source), std::move(format),
      RecordStream::Options{.bias = options.features.bias,
                            .normalize = options.features.normalize && !options.features.need_state(),
                            .threads = options.threads,
                            .chunk = options.chunk,
                            .skipped = options.skipped,
                            .stop = options.stop,
                            .origins = origins,
                            .guessed_format = options.format == "auto" ? origins[0].format : ""});
}

Shared shared_by(std::span<const std::string> paths, const StreamOptions& options) {
  const auto memory = std::make_shared<ReadingMemory>(options.memory);
  return {.memory = memory, .labels = std::make_shared<LabelNames>(memory), .are_several = paths.size() > 1};
}

/// The examples of a file, as count_examples.
std::optional<std::uint64_t> count_file(ByteSource& source, const Format& format,
                                        const StreamOptions& options) {
  if (source.may_wait() || source.is_packed()) return std::nullopt;
  ChunkReader reader(source, format, options.chunk);
  ChunkBuffer buffer;
  Chunk chunk;
  std::uint64_t examples = 0;
  while (reader.next(buffer, chunk)) {
    const auto more = format.examples_in(chunk.bytes);
    if (!more) return std::nullopt;
    examples += *more;
    reader.let_go(chunk);
  }
  if (!source.failure().empty()) return std::nullopt;
  return examples;
}

/// The options of a file that follows others in one stream: tables have the columns of the first file, and no
/// instance has more features than the first file if its format fixes their number.
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
  if (options.order != Order::file) {
    StreamOptions as_written = options;
    as_written.order = Order::file;
    return in_that_order(open_stream(paths, as_written), options);
  }
  const Shared shared = shared_by(paths, options);
  if (paths.size() == 1) return open_file(paths[0], options, shared);
  return std::make_unique<FilesStream>(std::vector<std::string>(paths.begin(), paths.end()), options.skipped,
                                       [options, shared](const std::string& path, const StreamFacts& before) {
                                         return open_file(path, after(before, options), shared);
                                       });
}

std::unique_ptr<Stream> open_stream(const std::string& path, const StreamOptions& options) {
  return open_stream(std::span(&path, 1), options);
}

std::optional<std::uint64_t> count_examples(std::span<const std::string> paths,
                                            const StreamOptions& options) {
  if (options.unlabelled != Unlabelled::malformed || options.skipped != nullptr) return std::nullopt;
  const Shared shared = shared_by(paths, options);
  std::uint64_t examples = 0;
  StreamFacts first;
  for (const std::string& path : paths) {
    if (path == "-" || is_synthetic(path)) return std::nullopt;
    const OpenedFile file =
        open_source(path, &path == paths.data() ? options : after(first, options), shared);
    if (&path == paths.data()) first = file.format->facts();
    const auto more = count_file(*file.source, *file.format, options);
    if (!more) return std::nullopt;
    examples += *more;
  }
  return examples;
}

}  // namespace askfew
