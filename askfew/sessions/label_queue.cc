#include "askfew/sessions/label_queue.h"

#include <algorithm>
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
    case LabelOutcome::volunteered:
      return "volunteered";
    case LabelOutcome::unsure:
      return "unsure";
    case LabelOutcome::collected:
      return "collected";
    case LabelOutcome::unknown:
      break;
  }
  return "unknown";
}

std::string_view text_of(Volunteered volunteered) {
  switch (volunteered) {
    case Volunteered::kept:
      return "keep";
    case Volunteered::learned:
      return "learn";
    case Volunteered::refused:
      break;
  }
  return "refuse";
}

std::optional<Volunteered> parse_volunteered(std::string_view text) {
  for (const auto one : {Volunteered::refused, Volunteered::kept, Volunteered::learned}) {
    if (text == text_of(one)) return one;
  }
  return std::nullopt;
}

LabelQueue::Place LabelQueue::find(std::string_view id, std::uint64_t hash) const {
  return table_.find(hash, [&](Place place) { return slots_[place].id == id; });
}

std::uint64_t LabelQueue::waits(std::string_view id) const {
  const Place place = find(id, IdTable::hash_of(id));
  const bool is_there = place != IdTable::none && slots_[place].state == State::waiting;
  return is_there ? slots_[place].question.query.round : 0;
}

const Question* LabelQueue::recall(std::string_view id, std::uint64_t content) const {
  const Place place = find(id, IdTable::hash_of(id));
  if (place == IdTable::none) return nullptr;
  const State state = slots_[place].state;
  if (state == State::expired || state == State::known) return nullptr;
  return slots_[place].question.content == content ? &slots_[place].question : nullptr;
}

const Question* LabelQueue::taught_by(std::string_view id, std::optional<LabelNumber> label) const {
  const Place place = find(id, IdTable::hash_of(id));
  if (place == IdTable::none || !label) return nullptr;
  const Slot& slot = slots_[place];
  const bool is_learned = options_.volunteered == Volunteered::learned && slot.has_features;
  if (!is_of_question(slot.state) && !is_learned) return nullptr;
  const bool is_news = slot.state != State::expired && slot.question.label != label;
  return is_news ? &slot.question : nullptr;
}

std::size_t LabelQueue::bytes_of(const Room& room) {
  constexpr std::size_t cells = 64;  // the table has up to four cells per slot
  return sizeof(Slot) + cells + room.id + room.indices * sizeof(FeatureView::Index) +
         room.values * sizeof(double) + room.line;
}

LabelQueue::Room LabelQueue::room_of(std::string_view id, const FeatureView& x, std::string_view line) {
  constexpr std::size_t step = 64;  // lines of nearly the same length fit into the same slots
  return {.id = id.size(),
          .indices = x.is_dense() ? 0 : x.size(),
          .values = x.size(),
          .line = (line.size() + step - 1) / step * step};
}

std::size_t LabelQueue::bytes_of(std::string_view id, const FeatureView& x, std::string_view line) {
  Room room = room_of(id, x, line);
  room.id = std::max(2 * room.id, Room{}.id);  // a growing string may take twice the memory it needs
  return bytes_of(room);
}

std::size_t LabelQueue::bytes_in(const Slot& slot) {
  return bytes_of({.id = slot.id.capacity(),
                   .indices = slot.indices.capacity(),
                   .values = slot.values.capacity(),
                   .line = slot.line.capacity()});
}

bool LabelQueue::has_room_for(std::size_t bytes) const {
  if (memory_ == nullptr) return true;
  return memory_->left() + free_bytes_ >= least_of_free_slots() + this->bytes() + 2 * bytes;
}

bool LabelQueue::fits(std::size_t bytes, std::size_t others) const {
  if (memory_ == nullptr) return true;
  return memory_->left() >= others && memory_->left() + free_bytes_ >= least_of_free_slots() + others + bytes;
}

void LabelQueue::grow(std::size_t bytes) {
  if (memory_ != nullptr && memory_->left() < bytes) empty_free_slots();
  share_.resize(bytes_ + bytes, "the questions that are kept");
}

void LabelQueue::empty_free_slots() {
  for (const Place place : free_) {
    Slot& slot = slots_[place];
    const std::size_t before = bytes_in(slot);
    const Slot released = std::move(slot);
    slot = {};
    bytes_ -= before - bytes_in(slot);
    free_bytes_ -= before - bytes_in(slot);
  }
}

LabelQueue::Place LabelQueue::new_slot(std::string_view id, const Room& room) {
  const std::uint64_t hash = IdTable::hash_of(id);
  if (const Place old = find(id, hash); old != IdTable::none) forget(old);
  if (free_.empty()) {
    grow(bytes_of(Room{}));
    free_.push_back(static_cast<Place>(slots_.size()));
    const std::size_t bytes = bytes_in(slots_.emplace_back());
    bytes_ += bytes;
    free_bytes_ += bytes;
  }
  const Place place = free_.back();
  free_.pop_back();
  Slot& slot = slots_[place];
  const std::size_t before = bytes_in(slot);
  free_bytes_ -= before;
  const Room grown{.id = room.id > slot.id.capacity() ? 2 * room.id : slot.id.capacity(),
                   .indices = std::max(room.indices, slot.indices.capacity()),
                   .values = std::max(room.values, slot.values.capacity()),
                   .line = std::max(room.line, slot.line.capacity())};
  grow(bytes_of(grown) - before);
  slot.id = id;
  slot.hash = hash;
  slot.indices.reserve(room.indices);
  slot.values.reserve(room.values);
  slot.line.reserve(room.line);
  slot.votes.clear();
  slot.is_settled = false;
  bytes_ += bytes_in(slot) - before;
  table_.add(hash, place);
  return place;
}

void LabelQueue::forget(Place place) {
  table_.remove(slots_[place].hash, place);
  unlink(place);
  free_.push_back(place);
  free_bytes_ += bytes_in(slots_[place]);
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
    slot.question.x = FeatureView::unchecked_dense(slot.values, x.squared_norm());
    return;
  }
  slot.indices.assign(x.indices(), x.indices() + x.size());
  slot.question.x = FeatureView::unchecked_sparse(slot.indices, slot.values, x.squared_norm(), x.extent());
}

void LabelQueue::add_asked(std::string_view id, const Question& question) {
  EXPECTS(waits(id) == 0);
  const Place place = new_slot(id, room_of(id, question.x, question.line));
  Slot& slot = slots_[place];
  slot.state = State::waiting;
  slot.question = question;
  copy_features(question.x, slot);
  slot.line.assign(question.line.begin(), question.line.end());
  slot.question.line = {slot.line.data(), slot.line.size()};
  link(place, waiting_list);
}

void LabelQueue::add_unasked(std::string_view id, const Question& question, State state) {
  EXPECTS(waits(id) == 0);
  const bool keeps_features = options_.volunteered == Volunteered::learned;
  const Place place = new_slot(id, keeps_features ? room_of(id, question.x, {}) : Room{.id = id.size()});
  Slot& slot = slots_[place];
  slot.state = state;
  slot.question = question;
  slot.question.x = {};
  slot.has_features = keeps_features;
  if (keeps_features) copy_features(question.x, slot);
  slot.question.line = {};
  link(place, unasked_list);
  forget_more_than_are_kept(unasked_list);
}

void LabelQueue::add_unasked(std::string_view id, const Question& question) {
  add_unasked(id, question, State::unasked);
}

void LabelQueue::add_known(std::string_view id, const Question& question) {
  EXPECTS(!was_asked(id));
  add_unasked(id, question, State::known);
}

bool LabelQueue::was_asked(std::string_view id) const {
  const Place place = find(id, IdTable::hash_of(id));
  return place != IdTable::none && is_of_question(slots_[place].state);
}

std::optional<LabelNumber> LabelQueue::volunteered_label(std::string_view id) const {
  const Place place = find(id, IdTable::hash_of(id));
  if (place == IdTable::none || is_of_question(slots_[place].state)) return std::nullopt;
  return slots_[place].question.label;
}

std::vector<std::string> LabelQueue::waiting_ids() const {
  std::vector<std::string> ids;
  for (Place place = lists_[waiting_list].first; place != IdTable::none; place = slots_[place].behind) {
    ids.push_back(slots_[place].id);
  }
  return ids;
}

std::vector<LabelQueue::Waiting> LabelQueue::waiting_questions() const {
  std::vector<Waiting> questions;
  for (Place place = lists_[waiting_list].first; place != IdTable::none; place = slots_[place].behind) {
    questions.push_back({slots_[place].id, &slots_[place].question, slots_[place].votes});
  }
  return questions;
}

const Question* LabelQueue::shared(std::string_view id) const {
  const Place place = find(id, IdTable::hash_of(id));
  if (place == IdTable::none || slots_[place].question.people < 2) return nullptr;
  const State state = slots_[place].state;
  return is_of_question(state) && state != State::expired ? &slots_[place].question : nullptr;
}

std::vector<Vote> LabelQueue::votes_with(std::string_view id, const Vote& vote) const {
  EXPECTS(shared(id) != nullptr);
  std::vector<Vote> votes = slots_[find(id, IdTable::hash_of(id))].votes;
  const auto found = std::ranges::find(votes, vote.by, &Vote::by);
  if (found == votes.end()) {
    votes.push_back(vote);
  } else {
    *found = vote;
  }
  return votes;
}

bool LabelQueue::set_votes(std::string_view id, const std::vector<Vote>& votes) {
  EXPECTS(shared(id) != nullptr);
  std::vector<Vote>& before = slots_[find(id, IdTable::hash_of(id))].votes;
  const bool has_changed = before != votes;
  before = votes;
  return has_changed;
}

void LabelQueue::settle(std::string_view id) {
  const Place place = find(id, IdTable::hash_of(id));
  if (place != IdTable::none) slots_[place].is_settled = true;
}

std::vector<LabelQueue::Waiting> LabelQueue::disputed_questions() const {
  std::vector<Waiting> questions;
  for (const ListName name : {settled_list, waiting_list}) {
    for (Place place = lists_[name].first; place != IdTable::none; place = slots_[place].behind) {
      const Slot& slot = slots_[place];
      if (!slot.is_settled && are_different(slot.votes))
        questions.push_back({slot.id, &slot.question, slot.votes});
    }
  }
  return questions;
}

void LabelQueue::expire(std::uint64_t round, std::int64_t time,
                        const std::function<void(const Question&)>& lost) {
  const List& waiting = lists_[waiting_list];
  while (waiting.size > 0) {
    const Place place = waiting.first;
    Slot& slot = slots_[place];
    const Question& question = slot.question;
    const bool by_rounds = options_.max_rounds > 0 && round - question.query.round > options_.max_rounds;
    const bool by_age = options_.max_age > 0 && time - question.time > options_.max_age;
    if (!by_rounds && !by_age) break;
    lost(question);
    slot.state = State::expired;
    forget_more_than_are_kept(settled_list);
    move(place, settled_list);
  }
}

LabelQueue::Taken LabelQueue::take(std::string_view id, std::optional<LabelNumber> label) {
  forget_more_than_are_kept(settled_list);  // not at the end, because the caller still reads the question
  const Place place = find(id, IdTable::hash_of(id));
  if (place == IdTable::none) return {.outcome = LabelOutcome::unknown};
  Slot& slot = slots_[place];
  Question& question = slot.question;
  if (!is_of_question(slot.state)) {
    if (!label || options_.volunteered == Volunteered::refused) return {.outcome = LabelOutcome::never_asked};
    const auto before = std::exchange(question.label, label);
    return {.outcome = before == label ? LabelOutcome::repeated : LabelOutcome::volunteered};
  }
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
