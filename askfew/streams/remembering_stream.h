#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "askfew/streams/stream.h"

namespace askfew {

/// Keeps what it reads from another stream, as long as it fits in memory, so that a first pass over a file
/// need not be read and parsed again.
class RememberingStream final : public Stream {
 public:
  /// `skipped`: that of the other stream. `most`: bytes that may be used.
  RememberingStream(std::unique_ptr<Stream> stream, std::shared_ptr<Skipped> skipped, std::size_t most);

  tl::expected<bool, ParseError> next(Examples& block) override;
  /// Begins again with the first block. False if not everything was kept; then this stream is of no use.
  /// REQUIRES: the stream was read to its end.
  bool rewind();

  [[nodiscard]] std::string name() const override { return name_; }
  Examples::LabelId label_id(std::string_view name) override { return stream_->label_id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override {
    return stream_->label_name(id);
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return stream_->notes(); }

 private:
  struct Kept {
    Examples block;
    std::string name;
  };
  void keep(const Examples& block);

  std::unique_ptr<Stream> stream_;
  std::size_t most_;
  std::size_t bytes_ = 0;  // of the blocks that are kept
  std::deque<Kept> kept_;
  bool keeps_ = true;
  bool rewound_ = false;
  std::string name_;
};

}  // namespace askfew
