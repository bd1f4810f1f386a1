#include "askfew/sessions/label_queue.h"

#include <algorithm>
#include <utility>

#include "askfew/core/expects.h"

namespace askfew {

LabelQueue::Place LabelQueue::place_of(std::string_view id, std::uint64_t hash) const {
  return table_.find(hash, [&](Place place) { return slots_[place].id == id; });
}

const Question* LabelQueue::find(std::string_view id) const {
  const Place place = place_of(id);
  return place == IdTable::none ? nullptr : &slots_[place].question;
}

const TaskQuestion* LabelQueue::task_of(std::string_view id, std::uint32_t task) const {
  const Question* question = find(id);
  return question == nullptr || task >= question->tasks.size() ? nullptr : &question->tasks[task];
}

TaskQuestion& LabelQueue::task_in(Slot& slot, std::uint32_t task) {
  if (task >= slot.tasks.size()) {
    const std::size_t before = bytes_in(slot);
    slot.tasks.resize(task + 1);
    slot.question.tasks = slot.tasks;
    bytes_ += bytes_in(slot) - before;
  }
  return slot.tasks[task];
}

std::uint64_t LabelQueue::waits(std::string_view id) const {
  const Question* question = find(id);
  return question != nullptr && question->waits() ? question->round() : 0;
}

const Question* LabelQueue::recall(std::string_view id, std::uint64_t content) const {
  const Question* question = find(id);
  if (question == nullptr || question->round() == 0 || question->has(QuestionState::expired)) return nullptr;
  return question->content == content ? question : nullptr;
}

const Question* LabelQueue::taught_by(std::string_view id, const GivenLabel& given) const {
  const Place place = place_of(id);
  if (place == IdTable::none || !given.label) return nullptr;
  const Slot& slot = slots_[place];
  const TaskQuestion* task = task_of(id, given.task);
  const bool was_asked = task != nullptr && task->was_asked();
  const bool is_learned = options_.volunteered == Volunteered::learned && slot.has_features;
  if (!was_asked && !is_learned) return nullptr;
  const bool is_news =
      task == nullptr || (task->state != QuestionState::expired && task->label != given.label);
  return is_news ? &slot.question : nullptr;
}

std::size_t LabelQueue::bytes_of(const Room& room) {
  constexpr std::size_t cells = 64;  // the table has up to four cells per slot
  return sizeof(Slot) + cells + room.id + room.indices * sizeof(FeatureView::Index) +
         room.values * sizeof(double) + room.line + room.tasks * sizeof(TaskQuestion);
}

LabelQueue::Room LabelQueue::room_of(std::string_view id, const FeatureView& x, std::string_view line,
                                     std::size_t tasks) {
  constexpr std::size_t step = 64;  // lines of nearly the same length fit into the same slots
  return {.id = id.size(),
          .indices = x.is_dense() ? 0 : x.size(),
          .values = x.size(),
          .line = (line.size() + step - 1) / step * step,
          .tasks = tasks};
}

std::size_t LabelQueue::bytes_of(std::string_view id, const FeatureView& x, std::string_view line,
                                 std::size_t tasks) {
  Room room = room_of(id, x, line, tasks);
  room.id = std::max(2 * room.id, Room{}.id);  // a growing string may take twice the memory it needs
  return bytes_of(room);
}

std::size_t LabelQueue::bytes_in(const Slot& slot) {
  return bytes_of({.id = slot.id.capacity(),
                   .indices = slot.indices.capacity(),
                   .values = slot.values.capacity(),
                   .line = slot.line.capacity(),
                   .tasks = slot.tasks.capacity()});
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
  if (const Place old = place_of(id, hash); old != IdTable::none) forget(old);
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
                   .line = std::max(room.line, slot.line.capacity()),
                   .tasks = std::max(room.tasks, slot.tasks.capacity())};
  grow(bytes_of(grown) - before);
  slot.id = id;
  slot.hash = hash;
  slot.indices.reserve(room.indices);
  slot.values.reserve(room.values);
  slot.line.reserve(room.line);
  slot.tasks.reserve(room.tasks);
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

void LabelQueue::add(std::string_view id, const Question& question) {
  EXPECTS(waits(id) == 0);
  const bool is_asked = question.waits();
  const bool keeps_features = is_asked || options_.volunteered == Volunteered::learned;
  const std::string_view line = is_asked ? question.line : std::string_view();
  const std::size_t tasks = question.tasks.size();
  const Place place = new_slot(
      id, keeps_features ? room_of(id, question.x, line, tasks) : Room{.id = id.size(), .tasks = tasks});
  Slot& slot = slots_[place];
  slot.question = question;
  slot.question.x = {};
  slot.has_features = keeps_features;
  if (keeps_features) copy_features(question.x, slot);
  slot.line.assign(line.begin(), line.end());
  slot.question.line = {slot.line.data(), slot.line.size()};
  slot.tasks.assign(question.tasks.begin(), question.tasks.end());
  slot.question.tasks = slot.tasks;
  link(place, is_asked ? waiting_list : unasked_list);
  if (!is_asked) forget_more_than_are_kept(unasked_list);
}

std::vector<const LabelQueue::Slot*> LabelQueue::listed() const {
  std::vector<const Slot*> slots;
  for (const List& list : lists_) {
    for (Place place = list.first; place != IdTable::none; place = slots_[place].behind)
      slots.push_back(&slots_[place]);
  }
  return slots;
}

bool LabelQueue::is_of(std::size_t tasks, LabelNumber labels) const {
  const auto is_label = [&](const TaskQuestion& task) {
    return task.prediction < labels && task.label.value_or(0) < labels &&
           task.state <= QuestionState::expired;
  };
  return std::ranges::all_of(slots_, [&](const Slot& slot) {
    return slot.tasks.size() <= tasks && std::ranges::all_of(slot.tasks, is_label);
  });
}

void LabelQueue::Slot::set_features(bool is_dense, double squared_norm, FeatureView::Index extent) {
  try {
    question.x = is_dense ? FeatureView::dense(values) : FeatureView::sparse(indices, values);
  } catch (const DataError& error) {
    throw ModelError(std::string("a question of the checkpoint: ") + error.what());
  }
  // The features of the instance had this norm, whatever order it was added in.
  question.x = is_dense ? FeatureView::unchecked_dense(values, squared_norm)
                        : FeatureView::unchecked_sparse(indices, values, squared_norm,
                                                        std::max(extent, question.x.extent()));
}

void LabelQueue::take_over(std::deque<Slot> slots) {
  EXPECTS(slots_.empty());
  for (const Slot& slot : slots) bytes_ += bytes_in(slot);
  share_.resize(bytes_, "the questions that are kept");
  slots_ = std::move(slots);
  for (Place place = 0; place < slots_.size(); ++place) {
    Slot& slot = slots_[place];
    slot.question.line = {slot.line.data(), slot.line.size()};
    slot.question.tasks = slot.tasks;
    slot.hash = IdTable::hash_of(slot.id);
    const bool fits = !slot.tasks.empty() && slot.list <= unasked_list &&
                      slot.question.waits() == (slot.list == waiting_list) &&
                      place_of(slot.id, slot.hash) == IdTable::none;
    if (!fits) throw ModelError("a question of the checkpoint that no session has");
    table_.add(slot.hash, place);
    link(place, slot.list);
  }
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
    questions.push_back({slots_[place].id, &slots_[place].question});
  }
  return questions;
}

const Question* LabelQueue::shared(std::string_view id, std::uint32_t task) const {
  const Question* question = find(id);
  if (question == nullptr || question->people < 2 || task >= question->tasks.size()) return nullptr;
  const TaskQuestion& of_task = question->tasks[task];
  return of_task.was_asked() && of_task.state != QuestionState::expired ? question : nullptr;
}

std::vector<Vote> LabelQueue::votes_with(std::string_view id, std::uint32_t task, const Vote& vote) const {
  EXPECTS(shared(id, task) != nullptr);
  std::vector<Vote> votes = task_of(id, task)->votes;
  const auto found = std::ranges::find(votes, vote.by, &Vote::by);
  if (found == votes.end()) {
    votes.push_back(vote);
  } else {
    *found = vote;
  }
  return votes;
}

bool LabelQueue::set_votes(std::string_view id, std::uint32_t task, const std::vector<Vote>& votes) {
  EXPECTS(shared(id, task) != nullptr);
  std::vector<Vote>& before = slots_[place_of(id)].tasks[task].votes;
  const bool has_changed = before != votes;
  before = votes;
  return has_changed;
}

void LabelQueue::settle(std::string_view id, std::uint32_t task) {
  const Place place = place_of(id);
  if (place != IdTable::none) task_in(slots_[place], task).is_settled = true;
}

std::vector<LabelQueue::Waiting> LabelQueue::disputed_questions() const {
  std::vector<Waiting> questions;
  for (const ListName name : {settled_list, waiting_list}) {
    for (Place place = lists_[name].first; place != IdTable::none; place = slots_[place].behind) {
      const Slot& slot = slots_[place];
      if (std::ranges::any_of(slot.tasks, is_disputed)) questions.push_back({slot.id, &slot.question});
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
    const bool by_rounds = options_.max_rounds > 0 && round - question.round() > options_.max_rounds;
    const bool by_age = options_.max_age > 0 && time - question.time > options_.max_age;
    if (!by_rounds && !by_age) break;
    lost(question);
    for (TaskQuestion& task : slot.tasks) {
      if (task.state == QuestionState::waiting) task.state = QuestionState::expired;
    }
    forget_more_than_are_kept(settled_list);
    move(place, settled_list);
  }
}

void LabelQueue::take(std::string_view id, std::span<const GivenLabel> labels, std::vector<Taken>& taken) {
  forget_more_than_are_kept(settled_list);  // not at the end, because the caller still reads the question
  taken.clear();
  const Place place = place_of(id);
  for (const GivenLabel& given : labels) {
    taken.push_back(place == IdTable::none ? Taken{} : take(place, given));
  }
}

LabelQueue::Taken LabelQueue::take(Place place, const GivenLabel& given) {
  Slot& slot = slots_[place];
  TaskQuestion& task = task_in(slot, given.task);
  const std::optional<LabelNumber> label = given.label;
  switch (task.state) {
    case QuestionState::unasked: {
      if (!label || options_.volunteered == Volunteered::refused)
        return {.outcome = LabelOutcome::never_asked};
      const auto before = std::exchange(task.label, label);
      return {.outcome = before == label ? LabelOutcome::repeated : LabelOutcome::volunteered};
    }
    case QuestionState::expired:
      return {.outcome = LabelOutcome::expired};
    case QuestionState::answered: {
      if (!label) return {.outcome = LabelOutcome::kept};
      const auto before = std::exchange(task.label, label);
      return {.outcome = before == label ? LabelOutcome::repeated : LabelOutcome::corrected,
              .before = before};
    }
    case QuestionState::declined:
      if (!label) return {.outcome = LabelOutcome::repeated};
      break;
    case QuestionState::waiting:
      break;
  }
  task.label = label;
  task.state = label ? QuestionState::answered : QuestionState::declined;
  if (!slot.question.waits()) move(place, settled_list);
  return {.outcome = label ? LabelOutcome::learned : LabelOutcome::skipped};
}

}  // namespace askfew
