#include "askfew/streams/formats/cache/writer.h"

#include <algorithm>

#include "askfew/streams/formats/cache/bytes.h"
#include "askfew/streams/formats/cache/checksum.h"
#include "askfew/streams/formats/cache/encoder.h"

namespace askfew {
namespace {

using cache::BlockKind;
using cache::BlockPrefix;

constexpr std::size_t weight_of_row = 8;  // counted as so many features

}  // namespace

CacheWriter::CacheWriter(std::ostream& out, const CacheHeader& header, std::size_t block)
    : out_(out), header_(header), block_(block) {
  const std::string bytes = bytes_of(header);
  seed_ = number_at<cache::Prefix>(bytes.data()).checksum;
  write(bytes);
}

void CacheWriter::add(const Examples& block, const Stream& stream) {
  if (stream.name() != source_) {
    write_pending(stream);
    source_ = stream.name();
  }
  if (block.words().size() > 0) {
    // Words are numbered in the order of the text, so blocks with words are not merged.
    write_pending(stream);
    pending_ = block;
    for (std::size_t row = 0; row < block.size(); ++row) features_ += block.x(row).size();
    write_pending(stream);
    return;
  }
  for (std::size_t row = 0; row < block.size(); ++row) {
    if (features_ + weight_of_row * pending_.size() >= block_) write_pending(stream);
    features_ += block.x(row).size();
    pending_.append(block, row);
  }
}

void CacheWriter::finish(const Stream& stream) {
  write_pending(stream);
  std::string notes;
  for (const std::string& note : stream.notes()) notes += note + '\n';
  totals_.notes_size = notes.size();
  std::string payload;
  append_number(payload, totals_);
  payload += notes;
  payload.resize(cache::padded(payload.size()));
  write_block(BlockKind::end, 0, payload);
}

void CacheWriter::write_pending(const Stream& stream) {
  if (pending_.size() == 0) return;
  const auto origin = std::find_if(header_.origins.begin(), header_.origins.end(),
                                   [&](const Origin& o) { return o.name == source_; });
  const auto source = static_cast<std::size_t>(origin - header_.origins.begin());
  write_block(BlockKind::examples, pending_.size(), encode_block(pending_, stream, source));
  totals_.examples += pending_.size();
  totals_.features += features_;
  features_ = 0;
  pending_.clear();
}

void CacheWriter::write_block(BlockKind kind, std::size_t rows, std::string_view payload) {
  BlockPrefix prefix{.payload_size = payload.size(),
                     .offset = offset_,
                     .kind = kind,
                     .rows = static_cast<std::uint32_t>(rows),
                     .prefix_checksum = 0,
                     .payload_checksum = 0};
  prefix.prefix_checksum = cache::checksum_of(prefix, seed_);
  prefix.payload_checksum = cache::checksum_of_payload(prefix, payload);
  write({reinterpret_cast<const char*>(&prefix), sizeof prefix});
  write(payload);
  offset_ += sizeof prefix + payload.size();
}

void CacheWriter::write(std::string_view bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

tl::expected<cache::Totals, ParseError> write_cache(Stream& stream, std::ostream& out, std::size_t block) {
  CacheWriter writer(out, cache_header(stream), block);
  Examples examples;
  auto more = stream.next(examples);
  for (; more && *more && out; more = stream.next(examples)) writer.add(examples, stream);
  if (!more) return tl::make_unexpected(more.error());
  writer.finish(stream);
  return writer.totals();
}

}  // namespace askfew
