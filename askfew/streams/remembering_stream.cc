#include "askfew/streams/remembering_stream.h"

#include <utility>

namespace askfew {

RememberingStream::RememberingStream(std::unique_ptr<Stream> stream, std::shared_ptr<Skipped> skipped,
                                     std::size_t most)
    : Stream(std::move(skipped)), stream_(std::move(stream)), most_(most), name_(stream_->name()) {
  set_facts(stream_->facts());
}

tl::expected<bool, ParseError> RememberingStream::next(Examples& block) {
  if (rewound_) {
    if (kept_.empty()) return false;
    block = std::move(kept_.front().block);
    name_ = std::move(kept_.front().name);
    kept_.pop_front();
    return true;
  }
  auto more = stream_->next(block);
  name_ = stream_->name();
  if (more && *more) keep(block);
  return more;
}

bool RememberingStream::rewind() {
  rewound_ = keeps_;
  return rewound_;
}

void RememberingStream::keep(const Examples& block) {
  if (!keeps_) return;
  kept_.push_back({block, name_});
  bytes_ += kept_.back().block.memory();
  if (bytes_ <= most_) return;
  keeps_ = false;
  kept_.clear();
}

}  // namespace askfew
