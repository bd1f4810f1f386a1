#include "askfew/streams/formats/cache/header.h"

#include <fmt/core.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "askfew/json/json_text.h"
#include "askfew/streams/formats/cache/bytes.h"
#include "askfew/streams/formats/cache/checksum.h"
#include "askfew/streams/formats/cache/layout.h"
#include "askfew/streams/formats/svmlight/svmlight.h"
#include "askfew/streams/formats/tables/table_json.h"

namespace askfew {
namespace {

using cache::Prefix;
using nlohmann::json;

constexpr std::uint32_t max_header_bytes = std::uint32_t{1} << 24;

std::string_view text_of(LabelKind kind) {
  switch (kind) {
    case LabelKind::binary:
      return "binary";
    case LabelKind::one_two:
      return "one_two";
    case LabelKind::classes:
      return "classes";
    case LabelKind::topics:
      break;
  }
  return "topics";
}

LabelKind parse_kind(std::string_view text) {
  for (const auto kind : {LabelKind::binary, LabelKind::one_two, LabelKind::classes, LabelKind::topics}) {
    if (text == text_of(kind)) return kind;
  }
  throw Error("labels of an unknown kind");
}

/// A whole number within a range. The JSON library would also convert 1e300.
std::int64_t whole_number(const json& value, std::int64_t least = 0,
                          std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                        : value.is_number_integer() && value.get<std::int64_t>() >= least;
  if (!fits) throw Error("a number in it is out of range");
  return value.get<std::int64_t>();
}

json json_of(const Origin& origin) {
  json text = {{"name", origin.name}, {"format", origin.format}, {"reading", origin.reading}};
  if (origin.stamp) {
    text["path"] = origin.path;
    text["size"] = origin.stamp->size;
    text["modified"] = origin.stamp->modified;
  }
  return text;
}

Origin origin_from(const json& text) {
  Origin origin{.name = text.at("name").get<std::string>(),
                .format = text.at("format").get<std::string>(),
                .reading = text.at("reading").get<Reading>()};
  if (text.contains("path")) {
    origin.path = text.at("path").get<std::string>();
    origin.stamp = {.size = static_cast<std::uint64_t>(whole_number(text.at("size"))),
                    .modified = whole_number(text.at("modified"), std::numeric_limits<std::int64_t>::min())};
  }
  return origin;
}

std::string json_text(const CacheHeader& header) {
  json text = {
      {"dimension", header.dimension}, {"labels", text_of(header.label_kind)}, {"origins", json::array()}};
  for (const Origin& origin : header.origins) text["origins"].push_back(json_of(origin));
  if (header.table) text["table"] = json_of(*header.table);
  // A file name need not be UTF-8.
  return utf8_json_text(text);
}

CacheHeader header_of(const json& text) {
  CacheHeader header{.dimension = static_cast<FeatureView::Index>(
                         whole_number(text.at("dimension"), 0, SvmlightFormat::max_features)),
                     .label_kind = parse_kind(text.at("labels").get<std::string>()),
                     .origins = {}};
  for (const json& origin : text.at("origins")) header.origins.push_back(origin_from(origin));
  if (text.contains("table")) header.table = table_of(text.at("table"));
  return header;
}

}  // namespace

CacheHeader cache_header(const Stream& stream) {
  const StreamFacts& facts = stream.facts();
  CacheHeader header{.dimension = facts.dimension, .label_kind = facts.label_kind, .origins = facts.origins};
  if (facts.table != nullptr) header.table = *facts.table;
  return header;
}

std::string bytes_of(const CacheHeader& header) {
  std::string text = json_text(header);
  text.resize(cache::padded(text.size()), ' ');
  Prefix prefix{.version = cache::version, .header_size = static_cast<std::uint32_t>(text.size())};
  cache::magic.copy(prefix.magic, sizeof prefix.magic);
  prefix.checksum = cache::checksum_of(prefix, text);
  std::string bytes;
  append_number(bytes, prefix);
  return bytes + text;
}

ReadHeader read_cache_header(ByteSource& source) {
  const auto refuse = [&](std::string why) {
    if (!source.failure().empty()) why = source.failure();
    throw DataError({.why = std::move(why), .file = source.name()});
  };
  Prefix prefix{};
  const std::size_t got = source.read_fully(reinterpret_cast<char*>(&prefix), sizeof prefix);
  if (got < sizeof prefix.magic || std::string_view(prefix.magic, sizeof prefix.magic) != cache::magic) {
    refuse("not a cache of askfew");
  }
  if (got < sizeof prefix) refuse("a truncated cache: it ends in its header");
  if (prefix.version != cache::version) {
    refuse(fmt::format("a cache of version {}, this program reads {}: convert it again", prefix.version,
                       cache::version));
  }
  if (prefix.header_size > max_header_bytes) refuse("a damaged cache: its header is too large");
  std::string text(prefix.header_size, '\0');
  if (source.read_fully(text.data(), text.size()) != text.size())
    refuse("a truncated cache: it ends in its header");
  if (cache::checksum_of(prefix, text) != prefix.checksum)
    refuse("a damaged cache: its header does not match its checksum");
  try {
    return {header_of(parse_json(text)), prefix.checksum, sizeof prefix + text.size()};
  } catch (const std::exception& error) {
    refuse(fmt::format("a damaged cache: its header is not what it should be: {}", error.what()));
  }
  return {};
}

std::string why_stale(const CacheHeader& header) {
  for (const Origin& origin : header.origins) {
    if (!origin.stamp) continue;
    const auto now = stamp_of(origin.path);
    if (now && now != origin.stamp) return origin.name + " has changed since:";
  }
  return "";
}

}  // namespace askfew
