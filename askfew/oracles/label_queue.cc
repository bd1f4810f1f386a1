#include "askfew/oracles/label_queue.h"

#include <utility>

#include "askfew/core/expects.h"

namespace askfew {

std::string_view text_of(LabelOutcome outcome) {
  switch (outcome) {
    case LabelOutcome::learned:
      return "learned";
    case LabelOutcome::repeated:
      return "repeated";
    case LabelOutcome::corrected:
      return "corrected";
    case LabelOutcome::skipped:
      return "skipped";
    case LabelOutcome::kept:
      return "kept";
    case LabelOutcome::expired:
      return "expired";
    case LabelOutcome::never_asked:
      return "never asked";
    case LabelOutcome::unknown:
      break;
  }
  return "unknown";
}

LabelQueue::Place LabelQueue::find(std::string_view id, std::uint64_t hash) const {
  return table_.find(hash, [&](Place place) { return slots_[place].id == id; });
}

std::uint64_t LabelQueue::waits(std::string_view id) const {
  const Place place = find(id, IdTable::hash_of(id));
  const bool is_there = place != IdTable::none && slots_[place].state == State::waiting;
  return is_there ? slots_[place].question.query.round : 0;
}

LabelQueue::Place LabelQueue::new_slot(std::string_view id) {
  const std::uint64_t hash = IdTable::hash_of(id);
  if (const Place old = find(id, hash); old != IdTable::none) forget(old);
  if (free_.empty()) {
    free_.push_back(static_cast<Place>(slots_.size()));
    slots_.emplace_back();
  }
  const Place place = free_.back();
  free_.pop_back();
  slots_[place].id = id;
  slots_[place].hash = hash;
  table_.add(hash, place);
  return place;
}

void LabelQueue::forget(Place place) {
  table_.remove(slots_[place].hash, place);
  unlink(place);
  free_.push_back(place);
}

void LabelQueue::link(Place place, ListName name) {
  List& list = lists_[name];
  Slot& slot = slots_[place];
  slot.list = name;
  slot.before = list.last;
  slot.behind = IdTable::none;
  (list.last == IdTable::none ? list.first : slots_[list.last].behind) = place;
  list.last = place;
  ++list.size;
}

void LabelQueue::unlink(Place place) {
  const Slot& slot = slots_[place];
  List& list = lists_[slot.list];
  (slot.before == IdTable::none ? list.first : slots_[slot.before].behind) = slot.behind;
  (slot.behind == IdTable::none ? list.last : slots_[slot.behind].before) = slot.before;
  --list.size;
}

void LabelQueue::forget_more_than_are_kept(ListName name) {
  while (lists_[name].size > options_.keep) forget(lists_[name].first);
}

void LabelQueue::copy_features(const FeatureView& x, Slot& slot) {
  slot.values.assign(x.values(), x.values() + x.size());
  if (x.is_dense()) {
    slot.question.x = FeatureView::dense(slot.values, x.squared_norm());
    return;
  }
  slot.indices.assign(x.indices(), x.indices() + x.size());
  slot.question.x = FeatureView::sparse(slot.indices, slot.values, x.squared_norm(), x.extent());
}

void LabelQueue::add_asked(std::string_view id, const Question& question) {
  EXPECTS(waits(id) == 0);
  const Place place = new_slot(id);
  Slot& slot = slots_[place];
  slot.state = State::waiting;
  slot.question = question;
  copy_features(question.x, slot);
  link(place, waiting_list);
}

void LabelQueue::add_unasked(std::string_view id) {
  EXPECTS(waits(id) == 0);
  const Place place = new_slot(id);
  slots_[place].state = State::unasked;
  link(place, unasked_list);
  forget_more_than_are_kept(unasked_list);
}

void LabelQueue::expire(std::uint64_t round, std::int64_t time,
                        const std::function<void(const Question&)>& lost) {
  const List& waiting = lists_[waiting_list];
  while (waiting.size > 0) {
    const Place place = waiting.first;
    Slot& slot = slots_[place];
    const Question& question = slot.question;
    const bool by_rounds = options_.most_rounds > 0 && round - question.query.round > options_.most_rounds;
    const bool by_age = options_.most_age > 0 && time - question.time > options_.most_age;
    if (!by_rounds && !by_age) break;
    lost(question);
    slot.state = State::expired;
    move(place, settled_list);
  }
}

LabelQueue::Taken LabelQueue::take(std::string_view id, std::optional<LabelNumber> label) {
  forget_more_than_are_kept(settled_list);  // not at the end: the caller still looks at one
  const Place place = find(id, IdTable::hash_of(id));
  if (place == IdTable::none) return {.outcome = LabelOutcome::unknown};
  Slot& slot = slots_[place];
  if (slot.state == State::unasked) return {.outcome = LabelOutcome::never_asked};
  Question& question = slot.question;
  if (slot.state == State::expired) return {.outcome = LabelOutcome::expired, .question = &question};
  if (slot.state == State::answered) {
    if (!label) return {.outcome = LabelOutcome::kept, .question = &question};
    const auto before = std::exchange(question.label, label);
    return {.outcome = before == label ? LabelOutcome::repeated : LabelOutcome::corrected,
            .question = &question,
            .before = before};
  }
  if (slot.state == State::declined && !label)
    return {.outcome = LabelOutcome::repeated, .question = &question};
  question.label = label;
  slot.state = label ? State::answered : State::declined;
  move(place, settled_list);
  return {.outcome = label ? LabelOutcome::learned : LabelOutcome::skipped, .question = &question};
}

}  // namespace askfew
