#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "askfew/streams/reading_memory.h"
#include "askfew/streams/stream.h"
#include "askfew/streams/stream_options.h"

namespace askfew {

/// The examples of a stream in another order: sorted by time, where examples with the same time keep the
/// order of the stream, or shuffled. All examples are read into memory first, and an error anywhere is
/// reported before the first example.
class OrderedStream final : public Stream {
 public:
  OrderedStream(std::unique_ptr<Stream> stream, const StreamOptions& options);

  /// An example without a time cannot be sorted by time: it is an error. THROWS: MemoryError.
  tl::expected<bool, ParseError> next(Examples& block) override;
  [[nodiscard]] std::string name() const override { return next_ == 0 ? stream_->name() : file_; }
  Examples::LabelId label_id(std::string_view name) override { return stream_->label_id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override {
    return stream_->label_name(id);
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return stream_->notes(); }

 private:
  /// A block of the stream.
  struct Part {
    Examples examples;
    std::string file;
  };
  struct Row {
    std::int64_t time = 0;
    std::size_t part = 0;
    std::size_t row = 0;
  };

  tl::expected<void, ParseError> read_all();
  void put_in_order();

  std::unique_ptr<Stream> stream_;
  Order order_;
  std::uint64_t seed_;
  const std::atomic<bool>* stop_;
  ReadingShare share_;
  bool has_all_ = false;
  std::vector<Part> parts_;  // in the order of the stream
  std::vector<Row> rows_;    // in the new order
  std::size_t next_ = 0;     // index into rows_
  std::string file_;         // file of the last block
};

/// The stream in the order of the options. The stream itself is read in the order in which it is written.
std::unique_ptr<Stream> in_that_order(std::unique_ptr<Stream> stream, const StreamOptions& options);

}  // namespace askfew
