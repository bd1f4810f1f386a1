#include "askfew/streams/time_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace askfew {
namespace {

constexpr std::size_t most_rows = 4096;  // of a block

}  // namespace

TimeOrder::TimeOrder(std::unique_ptr<Stream> stream, std::shared_ptr<Skipped> skipped,
                     const std::atomic<bool>* stop)
    : Stream(std::move(skipped)), stream_(std::move(stream)), stop_(stop) {}

tl::expected<bool, ParseError> TimeOrder::next(Examples& block) {
  block.clear();
  if (!has_all_) {
    if (auto read = read_all(); !read) return tl::make_unexpected(read.error());
  }
  // A part of the examples has no order.
  if (stop_ != nullptr && *stop_) return false;
  if (next_ == rows_.size()) return false;
  file_ = file_of(rows_[next_]);  // a block is of one file, for messages
  while (next_ < rows_.size() && block.size() < most_rows && file_of(rows_[next_]) == file_)
    block.append(all_, rows_[next_++]);
  return true;
}

tl::expected<void, ParseError> TimeOrder::read_all() {
  Examples block;
  auto more = stream_->next(block);
  for (; more && *more; more = stream_->next(block)) {
    if (files_.empty() || files_.back().name != stream_->name())
      files_.push_back({.name = stream_->name(), .first = all_.size()});
    for (std::size_t row = 0; row < block.size(); ++row) {
      if (block.time(row) != Examples::no_time) {
        all_.append(block, row);
        continue;
      }
      const std::uint64_t line = block.line(row);
      const ParseError error{.line = line,
                             .column = line > 0 ? 1U : 0U,
                             .why = "the example has no time to be ordered by",
                             .file = stream_->name()};
      if (!skip(error)) return tl::make_unexpected(error);
    }
  }
  if (!more) return tl::make_unexpected(more.error());
  rows_.resize(all_.size());
  std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  std::stable_sort(rows_.begin(), rows_.end(),
                   [&](std::size_t a, std::size_t b) { return all_.time(a) < all_.time(b); });
  has_all_ = true;
  return {};
}

std::size_t TimeOrder::file_of(std::size_t row) const {
  const auto next = std::upper_bound(files_.begin(), files_.end(), row,
                                     [](std::size_t r, const File& file) { return r < file.first; });
  return static_cast<std::size_t>(next - files_.begin()) - 1;
}

}  // namespace askfew
