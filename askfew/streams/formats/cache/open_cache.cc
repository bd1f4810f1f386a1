#include "askfew/streams/formats/cache/open_cache.h"

#include <algorithm>
#include <fmt/core.h>

#include "askfew/config/text.h"

namespace askfew {
namespace {

/// The name of an option in messages: a cache stores the names of the command line.
std::string named(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return option;
}

constexpr std::string_view needs_labels = "needs-labels";

/// Whether examples need labels is not an option itself.
std::string as_unlabelled(const std::string& needed) {
  return needed == "yes" ? "refuse" : needed == "no" ? "accept" : needed;
}

/// The first option in which the two differ, or an empty text.
std::string difference(const Origin& origin, const Reading& wanted, Use use) {
  for (const auto& [option, value] : wanted) {
    const auto found = origin.reading.find(option);
    const std::string was = found == origin.reading.end() ? "" : found->second;
    if (was == value || (use == Use::by_itself && value.empty())) continue;
    if (option == needs_labels) {
      if (was == "yes" && value == "no") continue;  // labels do no harm
      return fmt::format("{} was read with `unlabelled` '{}', and now it is '{}': give the same, or",
                         origin.name, as_unlabelled(was), as_unlabelled(value));
    }
    return fmt::format("{} was read with `{}` {}, and now it is {}: give the same, or", origin.name,
                       named(option), in_quotes(was), in_quotes(value));
  }
  return "";
}

std::string why_not_table(const CacheHeader& header, const StreamOptions& options) {
  if (!options.schema || (header.table && *header.table == *options.schema)) return "";
  return "it is not a table with the columns of the one before:";
}

/// Formats of one stream number labels in the same way, or share their names.
CacheFormat::LabelReader label_reader(const CacheHeader& header) {
  const FormatEntry* entry = header.origins.empty() ? nullptr : find_format(header.origins[0].format);
  return (entry == nullptr ? *find_format("cache") : *entry).label_id;
}

}  // namespace

std::string why_unusable(const CacheHeader& header, const StreamOptions& options, Use use) {
  if (std::string why = why_stale(header); !why.empty()) return why;
  for (const Origin& origin : header.origins) {
    if (origin.format.empty()) continue;
    const FormatEntry* entry = find_format(origin.format);
    if (entry == nullptr)
      return fmt::format("it holds {}, which this version does not read:", in_quotes(origin.format));
    const bool other_format =
        use == Use::for_sources && options.format != "auto" && options.format != origin.format;
    if (other_format) return fmt::format("{} was read as {}:", origin.name, origin.format);
    if (std::string why = difference(origin, entry->reading(options), use); !why.empty()) return why;
  }
  return why_not_table(header, options);
}

std::unique_ptr<Format> open_cache(const Opening& file) {
  ReadHeader header = read_cache_header(file.source);
  if (const std::string why = why_unusable(header.header, file.options, Use::by_itself); !why.empty()) {
    throw DataError({.why = fmt::format("{} convert it again", why), .file = file.source.name()});
  }
  const CacheFormat::Options options{.dimension = file.options.dimension,
                                     .label_reader = label_reader(header.header)};
  return std::make_unique<CacheFormat>(std::move(header), options, file.labels);
}

}  // namespace askfew
