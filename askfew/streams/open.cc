#include "askfew/streams/open.h"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "askfew/streams/files_stream.h"
#include "askfew/streams/idx.h"
#include "askfew/streams/jsonl.h"
#include "askfew/streams/record_stream.h"
#include "askfew/streams/svmlight.h"
#include "askfew/streams/tables/arff.h"
#include "askfew/streams/tables/csv.h"
#include "askfew/streams/tables/tsv.h"
#include "askfew/streams/time_order.h"
#include "askfew/streams/vw.h"

namespace askfew {
namespace {

/// What a format is made from.
struct Opening {
  ByteSource& source;
  const std::string& path;
  const StreamOptions& options;
  std::shared_ptr<LabelNames> labels;  ///< shared by all files of a stream
};

std::unique_ptr<Format> open_svmlight(const Opening& file) {
  return std::make_unique<SvmlightFormat>(
      file.source, SvmlightIndices{.base = file.options.index_base, .dimension = file.options.dimension});
}

std::unique_ptr<Format> open_idx(const Opening& file) {
  const std::string& named = file.options.idx_labels;
  const std::string path = named.empty() ? idx_labels_beside(file.path) : named;
  if (path.empty()) {
    throw ConfigError(file.source.name() + ": the name tells no label file, give it with --idx-labels");
  }
  ByteSource labels(path);
  return std::make_unique<IdxFormat>(file.source, labels);
}

std::unique_ptr<Format> open_packages(const Opening& file) {
  return std::make_unique<PackagesFormat>(file.options.label_field, file.options.features.text, file.labels);
}

TableOpening table_of(const StreamOptions& options) {
  return {.told = options.table,
          .schema = options.schema ? &*options.schema : nullptr,
          .text = options.features.text,
          .needs_labels = options.needs_labels};
}

std::unique_ptr<Format> open_csv(const Opening& file) {
  return std::make_unique<CsvFormat>(file.source, table_of(file.options), file.labels);
}

std::unique_ptr<Format> open_arff(const Opening& file) {
  return std::make_unique<ArffFormat>(file.source, table_of(file.options), file.labels);
}

std::unique_ptr<Format> open_tsv(const Opening& file) {
  return std::make_unique<TsvFormat>(file.source, file.options.features.text, file.options.needs_labels,
                                     file.labels);
}

std::unique_ptr<Format> open_jsonl(const Opening& file) {
  return std::make_unique<JsonlFormat>(file.source, file.options.dimension, file.options.features.text,
                                       file.labels);
}

std::unique_ptr<Format> open_reuters(const Opening& file) {
  return std::make_unique<ReutersFormat>(file.options.reuters, file.options.features.text, file.labels);
}

std::unique_ptr<Format> open_vw(const Opening& file) {
  return std::make_unique<VwFormat>(file.source, file.options.features.text);
}

struct FormatEntry {
  std::string_view name;
  bool (*recognizes)(std::string_view first_bytes);
  std::unique_ptr<Format> (*open)(const Opening& file);
  bool (*recognizes_name)(std::string_view path) = [](std::string_view) { return false; };
};

// The first that recognizes a file reads it.
constexpr std::array formats{
    FormatEntry{"idx", IdxFormat::recognizes, open_idx},
    FormatEntry{"packages", PackagesFormat::recognizes, open_packages},
    FormatEntry{"jsonl", JsonlFormat::recognizes, open_jsonl},
    FormatEntry{"reuters", ReutersFormat::recognizes, open_reuters},
    FormatEntry{"vw", VwFormat::recognizes, open_vw},
    FormatEntry{"arff", ArffFormat::recognizes, open_arff, ArffFormat::recognizes_name},
    FormatEntry{"tsv", TsvFormat::recognizes, open_tsv},
    FormatEntry{"csv", CsvFormat::recognizes, open_csv, CsvFormat::recognizes_name},
    FormatEntry{"svmlight", [](std::string_view) { return true; }, open_svmlight},
};

const FormatEntry& choose(const Opening& file) {
  std::string name = file.options.format;
  // What follows a table is one.
  if (name == "auto" && file.options.schema)
    name = ArffFormat::recognizes(file.source.peek()) ? "arff" : "csv";
  for (const FormatEntry& entry : formats) {
    const bool fits = name == "auto"
                          ? entry.recognizes(file.source.peek()) || entry.recognizes_name(file.path)
                          : name == entry.name;
    if (fits) return entry;
  }
  throw ConfigError(fmt::format("format '{}' is not one of: auto, {}", name, format_names()));
}

std::unique_ptr<Stream> open_file(const std::string& path, const StreamOptions& options,
                                  std::shared_ptr<LabelNames> labels) {
  auto source = std::make_unique<ByteSource>(path, options.stop);
  const Opening file{*source, path, options, std::move(labels)};
  auto format = choose(file).open(file);
  return std::make_unique<RecordStream>(
      std::move(source), std::move(format),
      RecordStream::Options{.bias = options.features.bias,
                            .normalize = options.features.normalize && !options.features.need_state(),
                            .threads = options.threads,
                            .chunk = options.chunk,
                            .skipped = options.skipped,
                            .stop = options.stop});
}

}  // namespace

std::string format_names() {
  std::string names;
  for (const FormatEntry& entry : formats)
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
                                       [options, labels](const std::string& path, const TableSchema* table) {
                                         StreamOptions of_file = options;
                                         if (table != nullptr) of_file.schema = *table;
                                         return open_file(path, of_file, labels);
                                       });
}

std::unique_ptr<Stream> open_stream(const std::string& path, const StreamOptions& options) {
  return open_stream(std::span(&path, 1), options);
}

}  // namespace askfew
