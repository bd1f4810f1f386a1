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
  const bool only_waits = options.threads > 1 && source.may_wait();
  if (!only_waits) own_parser_ = format.parser();
  for (unsigned k = only_waits ? 0 : 1; k < options.threads; ++k) parsers_.push_back(format.parser());
  threads_.start(
      static_cast<unsigned>(parsers_.size()), [this](unsigned number) { work(*parsers_[number]); },
      [this] { stop(); });
}

ChunkPipeline::~ChunkPipeline() {
  stop();
  threads_.join();
}

void ChunkPipeline::stop() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  can_begin_.notify_all();
  source_.cancel();  // a thread may wait for a pipe
}

bool ChunkPipeline::next(ParsedChunk& chunk) {
  Slot& slot = slots_[delivered_ % slots_.size()];
  Lock lock(mutex_);
  while (slot.state != State::ready && slot.state != State::end) {
    if (own_parser_ != nullptr && can_begin()) {
      do_chunk(*own_parser_, lock);
    } else {
      can_go_on_.wait(lock);
    }
  }
  if (slot.failure) std::rethrow_exception(slot.failure);
  if (slot.state == State::end) return false;
  std::swap(chunk, slot.parsed);
  slot.parsed.skips_malformed = options_.skips_malformed;
  slot.state = State::free;
  ++delivered_;
  lock.unlock();
  can_begin_.notify_one();
  return true;
}

void ChunkPipeline::work(Parser& parser) {
  Lock lock(mutex_);
  while (true) {
    can_begin_.wait(lock, [&] { return ended_ || can_begin(); });
    if (ended_) return;
    do_chunk(parser, lock);
  }
}

bool ChunkPipeline::can_begin() const {
  return !ended_ && !reading_ && slots_[begun_ % slots_.size()].state == State::free;
}

void ChunkPipeline::do_chunk(Parser& parser, Lock& lock) {
  Slot& slot = slots_[begun_++ % slots_.size()];
  slot.state = State::under_way;
  reading_ = true;
  bool more = false;
  const auto let_others_know = [&] {
    can_begin_.notify_one();
    can_go_on_.notify_one();
  };
  const auto work_without_lock = [&](auto&& work) {
    lock.unlock();
    try {
      work();
    } catch (...) {
      slot.failure = std::current_exception();
    }
    lock.lock();
  };
  work_without_lock([&] { more = reader_.next(slot.buffer, slot.chunk); });
  reading_ = false;
  if (more) {
    let_others_know();
    work_without_lock([&] { parse(slot, parser); });
  }
  const bool is_last = !more || slot.failure != nullptr;
  slot.state = is_last ? State::end : State::ready;
  if (is_last) {
    ended_ = true;
    can_begin_.notify_all();
  }
  let_others_know();
}

void ChunkPipeline::parse(Slot& slot, Parser& parser) const {
  slot.parsed.clear();
  slot.parsed.examples.set_bias(options_.bias);
  parser.parse(slot.chunk, slot.parsed);
  reader_.let_go(slot.chunk);
  if (options_.normalize) {
    for (std::size_t row = 0; row < slot.parsed.examples.size(); ++row) slot.parsed.examples.normalize(row);
  }
}

}  // namespace askfew
