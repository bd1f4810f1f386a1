#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "askfew/streams/reading_memory.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// The examples of a stream, sorted by time; examples with the same time keep the order of the stream. All
/// examples are read into memory first, and an error anywhere is reported before the first example.
class TimeOrder final : public Stream {
 public:
  /// `stop` ends the stream from outside, or is null; `memory` counts the examples, or is null.
  TimeOrder(std::unique_ptr<Stream> stream, std::shared_ptr<Skipped> skipped,
            std::shared_ptr<MemoryLimit> memory, const std::atomic<bool>* stop);

  /// An example without a time is an error. THROWS: MemoryError.
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

  std::unique_ptr<Stream> stream_;
  const std::atomic<bool>* stop_;
  ReadingShare share_;
  bool has_all_ = false;
  std::vector<Part> parts_;  // in the order of the stream
  std::vector<Row> rows_;    // in the order of time
  std::size_t next_ = 0;     // index into rows_
  std::string file_;         // file of the last block
};

}  // namespace askfew
