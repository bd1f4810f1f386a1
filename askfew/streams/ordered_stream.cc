#include "askfew/streams/ordered_stream.h"

#include <algorithm>
#include <utility>

#include "askfew/core/shuffled.h"

namespace askfew {
namespace {

constexpr std::size_t max_rows = 4096;  // most rows of a block

}  // namespace

OrderedStream::OrderedStream(std::unique_ptr<Stream> stream, const StreamOptions& options)
    : Stream(options.skipped),
      stream_(std::move(stream)),
      order_(options.order),
      seed_(options.order_seed),
      stop_(options.stop),
      share_(std::make_shared<ReadingMemory>(options.memory)) {
  set_facts(stream_->facts());
}

tl::expected<bool, ParseError> OrderedStream::next(Examples& block) {
  block.clear();
  if (!has_all_) {
    if (auto read = read_all(); !read) return tl::make_unexpected(read.error());
  }
  // Without all examples there is no order.
  if (stop_ != nullptr && *stop_) return false;
  if (next_ == rows_.size()) return false;
  file_ = parts_[rows_[next_].part].file;  // a block has examples of one file, for messages
  for (; next_ < rows_.size() && block.size() < max_rows; ++next_) {
    const Part& part = parts_[rows_[next_].part];
    if (part.file != file_) break;
    block.append(part.examples, rows_[next_].row);
  }
  return true;
}

tl::expected<void, ParseError> OrderedStream::read_all() {
  std::size_t memory = 0;
  while (true) {
    Part part;
    const auto more = stream_->next(part.examples);
    if (!more) return tl::make_unexpected(more.error());
    if (!*more) break;
    part.file = stream_->name();
    memory += part.examples.memory() + part.examples.size() * 2 * sizeof(Row);
    share_.resize(memory, "all examples, to be put in order,");
    for (std::size_t row = 0; row < part.examples.size(); ++row) {
      const std::int64_t time = part.examples.time(row);
      if (order_ != Order::time || time != Examples::no_time) {
        rows_.push_back({.time = time, .part = parts_.size(), .row = row});
        continue;
      }
      const std::uint64_t line = part.examples.line(row);
      const ParseError error{.line = line,
                             .column = line > 0 ? 1U : 0U,
                             .why = "the example has no time to sort by",
                             .file = part.file};
      if (!skip(error)) return tl::make_unexpected(error);
    }
    parts_.push_back(std::move(part));
  }
  put_in_order();
  has_all_ = true;
  return {};
}

void OrderedStream::put_in_order() {
  if (order_ == Order::time) {
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.time < b.time; });
    return;
  }
  std::vector<Row> rows;
  rows.reserve(rows_.size());
  for (const std::uint32_t place : shuffled(rows_.size(), seed_, 0)) rows.push_back(rows_[place]);
  rows_ = std::move(rows);
}

std::unique_ptr<Stream> in_that_order(std::unique_ptr<Stream> stream, const StreamOptions& options) {
  if (options.order == Order::file) return stream;
  return std::make_unique<OrderedStream>(std::move(stream), options);
}

}  // namespace askfew
