#include "askfew/streams/remembering_stream.h"

#include <algorithm>
#include <utility>

namespace askfew {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 29;

}  // namespace

RememberingStream::RememberingStream(std::unique_ptr<Stream> stream, std::shared_ptr<Skipped> skipped,
                                     std::shared_ptr<MemoryLimit> memory)
    : Stream(std::move(skipped)),
      stream_(std::move(stream)),
      share_(memory),
      most_(memory == nullptr ? most_bytes : std::min(most_bytes, memory->left() / 4)),
      name_(stream_->name()) {
  set_facts(stream_->facts());
}

tl::expected<bool, ParseError> RememberingStream::next(Examples& block) {
  if (rewound_) {
    if (kept_.empty()) return false;
    bytes_ -= kept_.front().block.memory();
    block = std::move(kept_.front().block);
    name_ = std::move(kept_.front().name);
    kept_.pop_front();
    share_.resize(bytes_, "");
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
  if (bytes_ > most_) return forget();
  share_.resize(bytes_, "the examples of a first pass");
}

void RememberingStream::forget() {
  keeps_ = false;
  kept_.clear();
  bytes_ = 0;
  share_.resize(0, "");
}

}  // namespace askfew
