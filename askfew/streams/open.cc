#include "askfew/streams/open.h"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "askfew/streams/cache/cache_format.h"
#include "askfew/streams/files_stream.h"
#include "askfew/streams/idx.h"
#include "askfew/streams/record_stream.h"
#include "askfew/streams/svmlight.h"

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
  return std::make_unique<SvmlightFormat>(file.source, file.options.dimension);
}

std::string idx_labels_of(const std::string& images, const StreamOptions& options) {
  return options.idx_labels.empty() ? idx_labels_beside(images) : options.idx_labels;
}

std::unique_ptr<Format> open_idx(const Opening& file) {
  const std::string path = idx_labels_of(file.path, file.options);
  if (path.empty()) {
    throw ConfigError(file.source.name() + ": the name tells no label file, give it with --idx-labels");
  }
  ByteSource labels(path);
  return std::make_unique<IdxFormat>(file.source, labels);
}

std::unique_ptr<Format> open_packages(const Opening& file) {
  return std::make_unique<PackagesFormat>(file.options.label_field, file.options.hashing, file.labels);
}

std::string packages_reading(const StreamOptions& options) {
  return fmt::format("label-field={} bits={}",
                     options.label_field == PackagesFormat::LabelField::tag ? "tag" : "section",
                     options.hashing.bits);
}

std::unique_ptr<Format> open_cache(const Opening& file);

struct FormatEntry {
  std::string_view name;
  bool (*recognizes)(std::string_view first_bytes);
  std::unique_ptr<Format> (*open)(const Opening& file);
  /// The options that the examples depend on, for caches of them.
  std::string (*reading)(const StreamOptions& options) = [](const StreamOptions&) { return std::string(); };
  /// A file that it also reads, or an empty text.
  std::string (*beside)(const std::string& path, const StreamOptions& options) =
      [](const std::string&, const StreamOptions&) { return std::string(); };
  /// What the name of a label is as a number, if all labels are numbers.
  CacheFormat::LabelNumber label_number = nullptr;
};

// The first that recognizes a file reads it.
constexpr std::array formats{
    FormatEntry{.name = "cache", .recognizes = CacheFormat::recognizes, .open = open_cache},
    FormatEntry{.name = "idx",
                .recognizes = IdxFormat::recognizes,
                .open = open_idx,
                .beside = idx_labels_of,
                .label_number = IdxFormat::label_number},
    FormatEntry{.name = "packages",
                .recognizes = PackagesFormat::recognizes,
                .open = open_packages,
                .reading = packages_reading},
    FormatEntry{.name = "svmlight",
                .recognizes = [](std::string_view) { return true; },
                .open = open_svmlight,
                .label_number = SvmlightFormat::label_number},
};

const FormatEntry* find_format(std::string_view name) {
  for (const FormatEntry& entry : formats) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

/// Of the first origin that has one; all of them number labels in the same way, or their names are shared.
CacheFormat::LabelNumber label_number_of(const CacheHeader& header) {
  const FormatEntry* entry = header.origins.empty() ? nullptr : find_format(header.origins[0].format);
  return entry == nullptr ? nullptr : entry->label_number;
}

std::unique_ptr<Format> open_cache(const Opening& file) {
  ReadHeader header = read_cache_header(file.source);
  if (const std::string why = why_unusable(header.header, file.options); !why.empty()) {
    throw DataError({.why = fmt::format("{}: convert it again", why), .file = file.source.name()});
  }
  const CacheFormat::Options options{.dimension = file.options.dimension,
                                     .label_number = label_number_of(header.header)};
  return std::make_unique<CacheFormat>(std::move(header), options, file.labels);
}

std::vector<Origin> origins_of(const FormatEntry& entry, const std::string& path,
                               const StreamOptions& options) {
  std::vector<Origin> origins{origin_of(path)};
  origins[0].format = entry.name;
  origins[0].reading = entry.reading(options);
  if (const std::string beside = entry.beside(path, options); !beside.empty())
    origins.push_back(origin_of(beside));
  return origins;
}

const FormatEntry& choose(const std::string& name, ByteSource& source) {
  for (const FormatEntry& entry : formats) {
    if (name == "auto" ? entry.recognizes(source.peek()) : name == entry.name) return entry;
  }
  throw ConfigError(fmt::format("format '{}' is not one of: auto, {}", name, format_names()));
}

std::unique_ptr<Stream> open_file(const std::string& path, const StreamOptions& options,
                                  std::shared_ptr<LabelNames> labels) {
  auto source = std::make_unique<ByteSource>(path, options.stop);
  const FormatEntry& entry = choose(options.format, *source);
  std::vector<Origin> origins = origins_of(entry, path, options);
  auto format = entry.open({*source, path, options, std::move(labels)});
  if (auto others = format->origins(); !others.empty()) origins = std::move(others);
  return std::make_unique<RecordStream>(std::move(source), std::move(format),
                                        RecordStream::Options{.normalize = options.normalize,
                                                              .threads = options.threads,
                                                              .chunk = options.chunk,
                                                              .skipped = options.skipped,
                                                              .stop = options.stop,
                                                              .origins = std::move(origins)});
}

}  // namespace

std::string format_names() {
  std::string names;
  for (const FormatEntry& entry : formats)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  return names;
}

std::string why_unusable(const CacheHeader& header, const StreamOptions& options) {
  if (std::string why = why_stale(header); !why.empty()) return why;
  for (const Origin& origin : header.origins) {
    if (origin.format.empty()) continue;
    const FormatEntry* entry = find_format(origin.format);
    if (entry == nullptr) return fmt::format("it holds {}, which this version does not read", origin.format);
    if (const std::string reading = entry->reading(options); reading != origin.reading) {
      return fmt::format("{} was read with {}, not with {}", origin.name, origin.reading, reading);
    }
  }
  return "";
}

std::unique_ptr<Stream> open_stream(std::span<const std::string> paths, const StreamOptions& options) {
  const auto labels = std::make_shared<LabelNames>();
  if (paths.size() == 1) return open_file(paths[0], options, labels);
  return std::make_unique<FilesStream>(
      std::vector<std::string>(paths.begin(), paths.end()), options.skipped,
      [options, labels](const std::string& path) { return open_file(path, options, labels); });
}

std::unique_ptr<Stream> open_stream(const std::string& path, const StreamOptions& options) {
  return open_stream(std::span(&path, 1), options);
}

}  // namespace askfew
