#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "askfew/streams/reading_memory.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// The examples of a stream in the order of their times; those of one time in the order of the stream. All of
/// them are read into memory first, and an error anywhere comes before the first of them.
class TimeOrder final : public Stream {
 public:
  /// `stop` is what ends the stream from outside, or null; `memory` what the examples are counted against, or
  /// null.
  TimeOrder(std::unique_ptr<Stream> stream, std::shared_ptr<Skipped> skipped,
            std::shared_ptr<MemoryLimit> memory, const std::atomic<bool>* stop);

  /// An example without a time is an error. THROWS: MemoryError.
  tl::expected<bool, ParseError> next(Examples& block) override;
  [[nodiscard]] std::string name() const override { return next_ == 0 ? stream_->name() : file_; }
  Examples::LabelId label_id(std::string_view name) override { return stream_->label_id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override {
    return stream_->label_name(id);
  }
  [[nodiscard]] LabelKind label_kind() const override { return stream_->label_kind(); }
  [[nodiscard]] std::vector<std::string> some_labels() const override { return stream_->some_labels(); }
  [[nodiscard]] FeatureView::Index dimension() const override { return stream_->dimension(); }
  [[nodiscard]] std::vector<Origin> origins() const override { return stream_->origins(); }
  [[nodiscard]] const TableSchema* table() const override { return stream_->table(); }

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
  std::size_t next_ = 0;     // of rows_
  std::string file_;         // of the last block
};

}  // namespace askfew
