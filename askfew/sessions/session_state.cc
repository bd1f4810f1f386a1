#include <algorithm>
#include <string>
#include <utility>

#include "askfew/sessions/columns.h"
#include "askfew/sessions/session.h"

// The state of a session, as a checkpoint has it.

namespace askfew {
namespace {

std::string session_part() {
  return std::string(Session::part_name);
}

}  // namespace

Snapshot Session::snapshot() const {
  Snapshot snapshot = snapshot_of(model_);
  save_columns(session_part(), *this, snapshot);
  return snapshot;
}

void Session::restore(const Snapshot& snapshot) {
  const MemoryLimit::Lifted lifted(memory_.get());  // there was memory for what was taken
  model_ = askfew::model_of(snapshot, {.exactness = Exactness::exact, .memory = memory_});
  queue_ = LabelQueue(queue_.options(), memory_);
  class_watch_.reset();
  set_up_tasks();
  set_up_monitors(std::vector<std::uint64_t>(task_count()));
  load_columns(session_part(), snapshot, *this);
}

std::vector<std::uint64_t> Session::rounds_before() const {
  std::vector<std::uint64_t> rounds;
  for (const SessionMonitor& monitor : monitors_) rounds.push_back(monitor.rounds_before());
  return rounds;
}

void Session::settle(std::span<const std::uint64_t> rounds_before, const IncomingReader::Fixed& fixed) {
  const auto labels = static_cast<LabelNumber>(tasks_->are_classes() ? model_.tasks.size() : 2);
  const bool fits = rounds_before.size() == monitors_.size() && shared_.size() == task_count() &&
                    task_counts_.size() == task_count() && queue_.is_of(task_count(), labels);
  if (!fits) throw ModelError("the parts of the session do not fit together");
  set_up_tasks();
  set_up_monitors(rounds_before);
  reader_->set_fixed(fixed);
  set_up_reader();
}

}  // namespace askfew
