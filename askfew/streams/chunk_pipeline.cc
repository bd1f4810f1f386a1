#include "askfew/streams/chunk_pipeline.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace askfew {
namespace {

/// Memory that only a long record needed is not kept.
void drop_if_large(Examples& examples) {
  constexpr std::size_t large = std::size_t{16} << 20;
  if (examples.memory() > large) examples = Examples();
}

}  // namespace

ChunkPipeline::ChunkPipeline(ByteSource& source, const Format& format, const Options& options)
    : source_(source),
      format_(format),
      usual_share_(source.limits().memory),
      options_(fitted(options)),
      reader_(source, format, options_.chunk),
      handed_out_(source.limits().memory) {
  const std::size_t slots = slots_for(options.threads);
  while (slots_.size() < slots) {
    slots_.emplace_back(source.limits().memory).parsed.skips_malformed = options.skips_malformed;
  }
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
  source_.cancel();  // a thread may be waiting for a pipe
}

ChunkPipeline::Options ChunkPipeline::fitted(Options options) {
  const ReadingMemory* const memory = source_.limits().memory.get();
  if (memory == nullptr) return options;
  constexpr std::size_t smallest = std::size_t{1} << 15;
  constexpr std::size_t free = std::size_t{48} << 20;  // free for the chunks of two threads
  constexpr std::size_t memory_of_short_lines = 48;    // per byte of a line
  const std::size_t of_all =
      std::max(format_.memory_per_byte(), memory_of_short_lines) * slots_for(options.threads);
  const std::size_t may_take = free + memory->most() / 8;
  options.chunk = std::min(options.chunk, std::max(smallest, may_take / of_all));
  if (options.chunk * of_all > free) usual_share_.resize(options.chunk * of_all - free, "what is read");
  return options;
}

bool ChunkPipeline::next(ParsedChunk& chunk) {
  Slot& slot = slots_[delivered_ % slots_.size()];
  Lock lock(mutex_);
  drop_if_large(chunk.examples);
  handed_out_.resize(0, "");
  while (slot.state != State::ready && slot.state != State::end) {
    if (slot.state == State::waits) {
      do_alone(slot, lock);
    } else if (own_parser_ != nullptr && can_begin()) {
      do_chunk(*own_parser_, lock);
    } else {
      can_go_on_.wait(lock);
    }
  }
  if (slot.failure) std::rethrow_exception(slot.failure);
  if (slot.state == State::end) return false;
  std::swap(chunk, slot.parsed);
  slot.share.swap(handed_out_);
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
  return !ended_ && !reading_ && !one_waits_ && slots_[begun_ % slots_.size()].state == State::free;
}

template <class Work>
void ChunkPipeline::without_lock(Lock& lock, Slot& slot, Work&& work) {
  lock.unlock();
  try {
    work();
  } catch (...) {
    slot.failure = std::current_exception();
  }
  lock.lock();
}

void ChunkPipeline::do_chunk(Parser& parser, Lock& lock) {
  Slot& slot = slots_[begun_++ % slots_.size()];
  slot.state = State::under_way;
  reading_ = true;
  bool more = false;
  without_lock(lock, slot, [&] { more = reader_.next(slot.buffer, slot.chunk); });
  reading_ = false;
  if (more && is_long(slot) && !slot.share.try_resize(memory_of(slot))) {
    slot.state = State::waits;
    one_waits_ = true;
    can_go_on_.notify_one();
    return;
  }
  if (more) {
    can_begin_.notify_one();
    // The scratch memory of a long record is not kept.
    without_lock(lock, slot, [&] { parse(slot, is_long(slot) ? *format_.parser() : parser); });
  }
  finish(slot, !more || slot.failure != nullptr);
}

void ChunkPipeline::do_alone(Slot& slot, Lock& lock) {
  without_lock(lock, slot, [&] {
    slot.share.resize(memory_of(slot), fmt::format("a record of {} bytes", slot.chunk.bytes.size()));
    parse(slot, *format_.parser());
  });
  one_waits_ = false;
  finish(slot, slot.failure != nullptr);
}

void ChunkPipeline::finish(Slot& slot, bool is_last) {
  slot.state = is_last ? State::end : State::ready;
  if (is_last) {
    ended_ = true;
    can_begin_.notify_all();
  }
  can_begin_.notify_one();
  can_go_on_.notify_one();
}

void ChunkPipeline::parse(Slot& slot, Parser& parser) const {
  slot.parsed.clear();
  slot.parsed.examples.set_bias(options_.bias);
  parser.parse(slot.chunk, slot.parsed);
  reader_.let_go(slot.chunk);
  if (is_long(slot)) {
    slot.buffer.free();
    slot.share.resize(slot.parsed.examples.memory(), "a block of examples");
  }
  if (options_.normalize) {
    for (std::size_t row = 0; row < slot.parsed.examples.size(); ++row) slot.parsed.examples.normalize(row);
  }
}

}  // namespace askfew
