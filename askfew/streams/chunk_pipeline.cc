#include "askfew/streams/chunk_pipeline.h"

#include <utility>

namespace askfew {

ChunkPipeline::ChunkPipeline(ByteSource& source, const Format& format, const Options& options)
    : source_(source),
      format_(format),
      options_(options),
      reader_(source, format, options.chunk),
      slots_(options.threads > 1 ? 2 * options.threads : 1) {
  for (Slot& slot : slots_) slot.parsed.skips_malformed = options.skips_malformed;
  if (options.threads > 1) {
    for (unsigned k = 0; k < options.threads; ++k) threads_.emplace_back([this] { work(); });
  } else {
    own_parser_ = format.parser();
  }
}

ChunkPipeline::~ChunkPipeline() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  slot_is_free_.notify_all();
  source_.cancel();  // a thread may wait for a pipe
  for (std::thread& thread : threads_) thread.join();
}

bool ChunkPipeline::next(ParsedChunk& chunk) {
  Slot& slot = slots_[delivered_ % slots_.size()];
  if (own_parser_ != nullptr) {
    if (!fill(slot, *own_parser_, [] {})) return false;
  } else {
    std::unique_lock lock(mutex_);
    slot_is_ready_.wait(lock, [&] { return slot.state == State::ready || slot.state == State::end; });
  }
  if (slot.failure) std::rethrow_exception(slot.failure);
  if (slot.state == State::end) return false;
  std::swap(chunk, slot.parsed);
  slot.parsed.skips_malformed = options_.skips_malformed;
  ++delivered_;
  become(slot, State::free);
  slot_is_free_.notify_one();
  return true;
}

void ChunkPipeline::work() {
  const std::unique_ptr<Parser> parser = format_.parser();
  while (true) {
    Slot* slot = nullptr;
    {
      std::unique_lock lock(mutex_);
      slot_is_free_.wait(
          lock, [&] { return ended_ || (!reading_ && slots_[begun_ % slots_.size()].state == State::free); });
      if (ended_) return;
      slot = &slots_[begun_++ % slots_.size()];
      slot->state = State::under_way;
      reading_ = true;
    }
    bool more = false;
    const auto give_reader_on = [&] {
      const std::lock_guard lock(mutex_);
      reading_ = false;
      slot_is_free_.notify_one();
    };
    try {
      more = fill(*slot, *parser, give_reader_on);
    } catch (...) {
      slot->failure = std::current_exception();
    }
    if (more) {
      become(*slot, State::ready);
    } else {
      become(*slot, State::end);
      const std::lock_guard lock(mutex_);
      ended_ = true;
      slot_is_free_.notify_all();
    }
    slot_is_ready_.notify_one();
    if (!more) return;
  }
}

template <class F>
bool ChunkPipeline::fill(Slot& slot, Parser& parser, F&& was_read) {
  if (!reader_.next(slot.buffer, slot.chunk)) return false;
  was_read();
  slot.parsed.clear();
  parser.parse(slot.chunk, slot.parsed);
  reader_.let_go(slot.chunk);
  if (options_.normalize) {
    for (std::size_t row = 0; row < slot.parsed.examples.size(); ++row) slot.parsed.examples.normalize(row);
  }
  return true;
}

void ChunkPipeline::become(Slot& slot, State state) {
  const std::lock_guard lock(mutex_);
  slot.state = state;
}

}  // namespace askfew
