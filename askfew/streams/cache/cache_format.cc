#include "askfew/streams/cache/cache_format.h"

#include <fmt/format.h>
#include <utility>

#include "askfew/streams/cache/bytes.h"
#include "askfew/streams/cache/checksum.h"
#include "askfew/streams/cache/decoder.h"
#include "askfew/streams/cache/layout.h"
#include "askfew/streams/svmlight.h"

namespace askfew {
namespace {

using cache::BlockKind;
using cache::BlockPrefix;

/// What is wrong with a cache, and what to do.
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
        decoder_({.dimension = most_features(format), .sources = format.header_.header.origins.size()},
                 *format.names_) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override {
    std::string damage = read_block(chunk, out);
    if (!damage.empty()) {
      out.damage = std::move(damage);
    } else if (format_.options_.dimension != 0) {
      leave_out_larger(out);
    }
  }

 private:
  static FeatureView::Index most_features(const CacheFormat& format) {
    const FeatureView::Index dimension = format.header_.header.dimension;
    return dimension == 0 ? SvmlightFormat::most_features : dimension;
  }

  /// Reads the block that a chunk is; returns what is wrong with it, or an empty text.
  std::string read_block(const Chunk& chunk, ParsedChunk& out);
  std::string read_end(std::string_view payload, std::uint64_t offset) const;
  /// Examples with more features than the options allow are malformed.
  void leave_out_larger(ParsedChunk& out);

  const CacheFormat& format_;
  BlockDecoder decoder_;
  Examples kept_;
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

std::string CacheFormat::BlockParser::read_end(std::string_view payload, std::uint64_t offset) const {
  if (payload.size() != sizeof(cache::Totals)) return damaged("its end is not as long as it should be");
  format_.seen_.examples_told = number_at<cache::Totals>(payload.data()).examples;
  format_.seen_.end = offset;
  return "";
}

void CacheFormat::BlockParser::leave_out_larger(ParsedChunk& out) {
  const FeatureView::Index most = format_.options_.dimension;
  Examples& all = out.examples;
  std::size_t row = 0;
  while (row < all.size() && all.x(row).extent() <= most) ++row;
  if (row == all.size()) return;
  kept_.clear();
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all.x(k).extent() <= most) {
      kept_.append(all, k);
    } else if (const std::uint64_t line = all.line(k);
               !out.fail({.line = line,
                          .column = line > 0 ? 1U : 0U,
                          .why = fmt::format("feature {} is out of range, accepted: 1 to {}",
                                             all.x(k).extent(), most)})) {
      break;
    }
  }
  std::swap(all, kept_);
}

bool CacheFormat::recognizes(std::string_view first_bytes) {
  return first_bytes.starts_with(cache::magic);
}

CacheFormat::CacheFormat(ReadHeader header, const Options& options, std::shared_ptr<LabelNames> names)
    : header_(std::move(header)), options_(options), names_(std::move(names)) {}

/// One block at a time, so that the examples of a chunk come from one file. What does not begin a block is
/// given to the parser at once, which will say so.
std::size_t CacheFormat::whole_records(std::string_view bytes) const {
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

Examples::LabelId CacheFormat::label_id(std::string_view name) {
  return options_.label_number == nullptr ? names_->id(name) : options_.label_number(name);
}

FeatureView::Index CacheFormat::dimension() const {
  return header_.header.dimension == 0 ? options_.dimension : header_.header.dimension;
}

}  // namespace askfew
