#include "askfew/streams/formats/cache/cache_format.h"

#include <fmt/core.h>
#include <utility>

#include "askfew/streams/formats/cache/bytes.h"
#include "askfew/streams/formats/cache/checksum.h"
#include "askfew/streams/formats/cache/decoder.h"
#include "askfew/streams/formats/cache/layout.h"
#include "askfew/streams/formats/svmlight/svmlight.h"

namespace askfew {
namespace {

using cache::BlockKind;
using cache::BlockPrefix;

/// The fault of a cache, and what to do.
std::string damaged(std::string_view how) {
  return fmt::format("a damaged cache: {}; convert it again", how);
}
std::string truncated(std::string_view how) {
  return fmt::format("a truncated cache: {}; convert it again", how);
}

}  // namespace

class CacheFormat::BlockParser final : public Parser {
 public:
  explicit BlockParser(const CacheFormat& format)
      : format_(format),
        decoder_({.dimension = max_features(format), .sources = format.header_.header.origins.size()},
                 *format.names_) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override {
    const double bias = out.examples.bias();
    out.examples.set_bias(0);
    std::string damage = read_block(chunk, out);
    if (!damage.empty()) {
      out.damage = std::move(damage);
    } else if (format_.options_.dimension != 0 && out.examples.words().size() == 0) {
      leave_out_larger(out);
    }
    if (bias != 0) add_bias(bias, out.examples);
  }

 private:
  static FeatureView::Index max_features(const CacheFormat& format) {
    const FeatureView::Index dimension = format.header_.header.dimension;
    return dimension == 0 ? SvmlightFormat::max_features : dimension;
  }

  /// Reads the block of a chunk; returns its fault, or an empty text.
  std::string read_block(const Chunk& chunk, ParsedChunk& out);
  std::string read_end(std::string_view payload, std::uint64_t offset) const;
  /// Examples with more features than the options allow are malformed.
  void leave_out_larger(ParsedChunk& out);

  void add_bias(double bias, Examples& examples);

  const CacheFormat& format_;
  BlockDecoder decoder_;
  Examples others_;  // scratch
};

std::string CacheFormat::BlockParser::read_block(const Chunk& chunk, ParsedChunk& out) {
  const std::string place = fmt::format("the block at byte {}", format_.header_.size + chunk.offset);
  if (chunk.bytes.size() < sizeof(BlockPrefix)) return truncated("it ends in " + place);
  const auto prefix = number_at<BlockPrefix>(chunk.bytes.data());
  const std::string_view payload = chunk.bytes.substr(sizeof prefix);
  if (cache::checksum_of(prefix, format_.header_.checksum) != prefix.prefix_checksum) {
    return damaged(place + " does not match its checksum");
  }
  if (payload.size() < prefix.payload_size) return truncated("it ends in " + place);
  if (cache::checksum_of_payload(prefix, payload) != prefix.payload_checksum) {
    return damaged(place + " does not match its checksum");
  }
  if (prefix.offset != chunk.offset) return damaged(place + " does not belong there");
  if (prefix.kind == BlockKind::end) return read_end(payload, chunk.offset + chunk.bytes.size());
  if (prefix.kind != BlockKind::examples)
    return damaged(place + " is of a kind that this version does not know");
  const auto source = decoder_.decode(payload, prefix.rows, out.examples);
  if (!source) return damaged(fmt::format("{}: {}", place, source.error()));
  out.source = format_.header_.header.origins[*source].name;
  format_.seen_.examples += prefix.rows;
  return "";
}

std::optional<std::uint64_t> CacheFormat::examples_in(std::string_view block) const {
  if (options_.dimension != 0 || block.size() < sizeof(BlockPrefix)) return std::nullopt;
  const auto prefix = number_at<BlockPrefix>(block.data());
  return prefix.kind == BlockKind::examples ? prefix.rows : 0;
}

std::string CacheFormat::BlockParser::read_end(std::string_view payload, std::uint64_t offset) const {
  if (payload.size() < sizeof(cache::Totals)) return damaged("its end is not as long as it should be");
  const auto totals = number_at<cache::Totals>(payload.data());
  std::string_view notes = payload.substr(sizeof totals);
  if (totals.notes_size > notes.size()) return damaged("its end is not as long as it should be");
  notes = notes.substr(0, totals.notes_size);
  const std::lock_guard lock(format_.seen_.mutex);
  while (!notes.empty()) {
    const std::string_view note = notes.substr(0, notes.find('\n'));
    format_.seen_.notes.emplace_back(note);
    notes.remove_prefix(std::min(notes.size(), note.size() + 1));
  }
  format_.seen_.examples_told = totals.examples;
  format_.seen_.end = offset;
  return "";
}

void CacheFormat::BlockParser::add_bias(double bias, Examples& examples) {
  std::swap(examples, others_);
  examples.clear();
  examples.set_bias(bias);
  const WordTable& words = others_.words();
  for (std::size_t k = 0; k < words.size(); ++k)
    examples.words().add(words[static_cast<WordTable::Number>(k)]);
  for (std::size_t row = 0; row < others_.size(); ++row) {
    const FeatureView x = others_.x(row);
    examples.begin(others_.line(row));
    examples.set_time(others_.time(row));
    for (const Examples::LabelId label : others_.labels(row)) examples.add_label(label);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (x.is_dense()) {
        examples.add_dense(x.values()[k]);
      } else {
        examples.add_feature(x.indices()[k], x.values()[k]);
      }
    }
    if (x.is_dense()) {
      examples.end_dense();
    } else {
      examples.end_sparse();
    }
  }
}

void CacheFormat::BlockParser::leave_out_larger(ParsedChunk& out) {
  const FeatureView::Index most = format_.options_.dimension;
  Examples& all = out.examples;
  std::size_t row = 0;
  while (row < all.size() && all.x(row).extent() <= most) ++row;
  if (row == all.size()) return;
  others_.clear();
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all.x(k).extent() <= most) {
      others_.append(all, k);
    } else if (const std::uint64_t line = all.line(k);
               !out.fail({.line = line,
                          .column = line > 0 ? 1U : 0U,
                          .why = fmt::format("feature {} is out of range, accepted: 1 to {}",
                                             all.x(k).extent(), most)})) {
      break;
    }
  }
  std::swap(all, others_);
}

bool CacheFormat::recognizes(std::string_view first_bytes) {
  return first_bytes.starts_with(cache::magic);
}

CacheFormat::CacheFormat(ReadHeader header, const Options& options, std::shared_ptr<LabelNames> names)
    : header_(std::move(header)), options_(options), names_(std::move(names)) {
  const CacheHeader& told = header_.header;
  set_facts({.label_kind = told.label_kind,
             .input = told.table ? InputKind::columns : InputKind::unknown,
             .dimension = told.dimension == 0 ? options_.dimension : told.dimension,
             .table = told.table ? std::make_shared<const TableSchema>(*told.table) : nullptr,
             .origins = told.origins});
}

/// One block at a time, so that all examples of a chunk come from one file. Bytes that do not begin a block
/// go to the parser at once, which reports the error.
std::size_t CacheFormat::whole_records(std::string_view bytes, std::size_t& /*looked_at*/) const {
  if (bytes.size() < sizeof(BlockPrefix)) return 0;
  const auto prefix = number_at<BlockPrefix>(bytes.data());
  if (cache::checksum_of(prefix, header_.checksum) != prefix.prefix_checksum) return bytes.size();
  return prefix.payload_size > bytes.size() - sizeof prefix ? 0 : sizeof prefix + prefix.payload_size;
}

std::unique_ptr<Parser> CacheFormat::parser() const {
  return std::make_unique<BlockParser>(*this);
}

std::string CacheFormat::wrong_at_end(std::uint64_t bytes) const {
  if (seen_.end == 0) return truncated("its end is missing");
  if (seen_.end != bytes) return damaged("there are bytes behind its end");
  if (seen_.examples != seen_.examples_told) return damaged("examples are missing");
  return "";
}

std::vector<std::string> CacheFormat::notes() const {
  const std::lock_guard lock(seen_.mutex);
  return seen_.notes;
}

}  // namespace askfew
