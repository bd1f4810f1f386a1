#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "askfew/sessions/id_table.h"
#include "askfew/sessions/label_outcome.h"
#include "askfew/sessions/overlap.h"
#include "askfew/sessions/question.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// Questions by the id of their instance, until all labels have come and for some time afterwards. An id
/// refers to the last instance with that id. A question has one or many tasks, each with its own label. Slots
/// and their memory are reused: in the long run nothing is allocated. The memory of the questions counts
/// against a memory limit.
class LabelQueue {
 public:
  struct Options {
    /// Number of answered, declined or expired questions to keep; also the number of ids of unasked instances
    /// to keep.
    std::uint64_t keep = 10'000;
    std::uint64_t max_rounds = 0;  ///< a question expires after so many rounds; 0: never
    std::int64_t max_age = 0;      ///< a question expires after so many microseconds; 0: never
    Volunteered volunteered = Volunteered::refused;
    Overlap overlap{};
    bool tells_unsure = true;  ///< false: unsure is skipped, as in ledgers of earlier versions
    bool mixes_late = false;   ///< see OneVsRest::mix_late_labels; true in ledgers of earlier versions

    bool operator==(const Options&) const = default;
    static void state(auto& self, auto& visit) {
      visit("keep", self.keep);
      visit("max_rounds", self.max_rounds);
      visit("max_age", self.max_age);
      visit("volunteered", self.volunteered);
      visit("overlap", self.overlap);
      visit("tells_unsure", self.tells_unsure);
      visit("mixes_late", self.mixes_late);
    }
  };

  /// `memory`: null if there is no limit.
  explicit LabelQueue(const Options& options, const std::shared_ptr<MemoryLimit>& memory = nullptr)
      : options_(options), memory_(memory), share_(memory) {}

  [[nodiscard]] const Options& options() const { return options_; }
  void set_options(const Options& options) { options_ = options; }

  /// Adds an instance: a question if a task waits, else an instance whose labels are not asked or known
  /// beforehand. The features of the latter are kept only if volunteered labels are learned. REQUIRES:
  /// `waits(id)` is 0; every task waits or was not asked. THROWS: MemoryError.
  void add(std::string_view id, const Question& question);

  /// The last instance with this id, asked or not; null if none is known. Valid until the next call.
  [[nodiscard]] const Question* find(std::string_view id) const;
  /// The round of the question with this id if a label of it is missing, else 0.
  [[nodiscard]] std::uint64_t waits(std::string_view id) const;
  /// The earlier decision about the instance with this id, if it had a round, its content is the same and no
  /// label of the instance came too late; else null. Valid until the next call.
  [[nodiscard]] const Question* recall(std::string_view id, std::uint64_t content) const;
  /// The question whose task would learn this label, or null.
  [[nodiscard]] const Question* taught_by(std::string_view id, const GivenLabel& given) const;

  /// An upper bound of the memory of a question with so many tasks.
  static std::size_t bytes_of(std::string_view id, const FeatureView& x, std::string_view line = {},
                              std::size_t tasks = 1);
  /// May questions with so many bytes be added? Yes, if the free memory afterwards is at least the memory of
  /// all questions, because learning from them may take as much memory again.
  [[nodiscard]] bool has_room_for(std::size_t bytes) const;
  /// Can a question with so many bytes be added at all, if questions with `others` bytes are added before?
  [[nodiscard]] bool fits(std::size_t bytes, std::size_t others) const;
  /// The memory of all questions that are waiting or kept.
  [[nodiscard]] std::size_t bytes() const { return bytes_ - free_bytes_; }

  /// Expires questions that are too old in this round and at this time; calls lost(question) for each while
  /// its tasks still wait, the oldest first.
  void expire(std::uint64_t round, std::int64_t time, const std::function<void(const Question&)>& lost);

  struct Taken {
    LabelOutcome outcome = LabelOutcome::unknown;
    std::optional<LabelNumber> before{};  ///< the label before this one
  };
  /// Takes the labels that a line gives for an instance, and writes what becomes of each; after `learned` and
  /// `corrected` the caller must tell the learner. `find` has the question until the next line.
  void take(std::string_view id, std::span<const GivenLabel> labels, std::vector<Taken>& taken);

  [[nodiscard]] std::uint64_t waiting() const { return lists_[waiting_list].size; }
  /// The ids of the unanswered questions, the oldest first.
  [[nodiscard]] std::vector<std::string> waiting_ids() const;
  struct Waiting {
    std::string_view id;
    const Question* question = nullptr;
  };
  /// The unanswered questions, the oldest first. Valid until the next call of a member that is not const.
  [[nodiscard]] std::vector<Waiting> waiting_questions() const;

  /// The question with this id if several people answer it, and this task's label did not come too late; else
  /// null.
  [[nodiscard]] const Question* shared(std::string_view id, std::uint32_t task) const;
  /// The answers to a shared question so far, with this one, which replaces an earlier one of the same
  /// person.
  [[nodiscard]] std::vector<Vote> votes_with(std::string_view id, std::uint32_t task, const Vote& vote) const;
  /// Returns whether the answers have changed. REQUIRES: `shared(id, task)`.
  bool set_votes(std::string_view id, std::uint32_t task, const std::vector<Vote>& votes);
  /// Somebody has settled what people disagree on.
  void settle(std::string_view id, std::uint32_t task);
  /// Shared questions with a task of different labels that nobody has settled, while they are kept. Validity
  /// as above.
  [[nodiscard]] std::vector<Waiting> disputed_questions() const;
  /// Has every question at most so many tasks, and only labels below this number?
  [[nodiscard]] bool is_of(std::size_t tasks, LabelNumber labels) const;

  /// For ColumnsWriter and ColumnsReader. Loading THROWS: ModelError, MemoryError. REQUIRES: what is loaded
  /// is loaded into an empty queue.
  static void state(auto& self, auto& visit) {
    visit("options", self.options_);
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(self)>>) {
      visit("questions", self.listed());
    } else {
      std::deque<Slot> slots;
      visit("questions", slots);
      self.take_over(std::move(slots));
    }
  }

 private:
  using Place = IdTable::Place;
  // Every used slot is in one of these lists, the oldest first.
  enum ListName : std::uint8_t { waiting_list, settled_list, unasked_list };
  struct List {
    Place first = IdTable::none;
    Place last = IdTable::none;
    std::uint64_t size = 0;
  };
  struct Slot {
    std::string id;
    std::uint64_t hash = 0;
    ListName list = unasked_list;
    Place before = IdTable::none;
    Place behind = IdTable::none;
    Question question;  // its features, line and tasks are stored in the vectors below
    std::vector<FeatureView::Index> indices;
    std::vector<double> values;
    std::vector<char> line;
    std::vector<TaskQuestion> tasks;
    bool has_features = false;

    static void state(auto& self, auto& visit) {
      visit("id", self.id);
      visit("list", self.list);
      visit("time", self.question.time);
      visit("content", self.question.content);
      visit("people", self.question.people);
      visit("has_features", self.has_features);
      if constexpr (std::is_const_v<std::remove_reference_t<decltype(self)>>) {
        const FeatureView& x = self.question.x;
        visit("is_dense", x.is_dense());
        visit("squared_norm", x.squared_norm());
        visit("extent", x.extent());
        visit("indices", std::span(x.indices(), x.is_dense() ? 0 : x.size()));
        visit("values", std::span(x.values(), x.size()));
        visit("line", self.question.line);
      } else {
        bool is_dense = false;
        double squared_norm = 0;
        FeatureView::Index extent = 0;
        visit("is_dense", is_dense);
        visit("squared_norm", squared_norm);
        visit("extent", extent);
        visit("indices", self.indices);
        visit("values", self.values);
        visit("line", self.line);
        self.set_features(is_dense, squared_norm, extent);
      }
      visit("tasks", self.tasks);
    }
    /// Makes the view of the features that were loaded. THROWS: ModelError.
    void set_features(bool is_dense, double squared_norm, FeatureView::Index extent);
  };

  /// The capacity of a slot; an empty string has some capacity as well.
  struct Room {
    std::size_t id = std::string().capacity();
    std::size_t indices = 0;
    std::size_t values = 0;
    std::size_t line = 0;
    std::size_t tasks = 0;
  };

  [[nodiscard]] Place place_of(std::string_view id) const { return place_of(id, IdTable::hash_of(id)); }
  [[nodiscard]] Place place_of(std::string_view id, std::uint64_t hash) const;
  /// Null if the slot's instance is older than the task.
  [[nodiscard]] const TaskQuestion* task_of(std::string_view id, std::uint32_t task) const;
  /// The task, which is added if the slot's instance is older than the task.
  TaskQuestion& task_in(Slot& slot, std::uint32_t task);
  /// A slot with this id and capacity, not in any list yet; an older slot with the same id is forgotten.
  Place new_slot(std::string_view id, const Room& room);
  void link(Place place, ListName name);
  void unlink(Place place);
  void move(Place place, ListName name) {
    unlink(place);
    link(place, name);
  }
  void forget(Place place);
  void forget_more_than_are_kept(ListName name);
  Taken take(Place place, const GivenLabel& given);
  static void copy_features(const FeatureView& x, Slot& slot);
  /// All used slots, list after list, the oldest first.
  [[nodiscard]] std::vector<const Slot*> listed() const;
  /// The opposite. THROWS: ModelError if the slots do not fit together, MemoryError.
  void take_over(std::deque<Slot> slots);
  static Room room_of(std::string_view id, const FeatureView& x, std::string_view line, std::size_t tasks);
  static std::size_t bytes_of(const Room& room);
  static std::size_t bytes_in(const Slot& slot);
  /// Takes memory for so many more bytes. THROWS: MemoryError.
  void grow(std::size_t bytes);
  void empty_free_slots();
  /// The memory that free slots keep after they are emptied.
  [[nodiscard]] std::size_t least_of_free_slots() const { return free_.size() * bytes_of(Room{}); }

  Options options_;
  std::shared_ptr<MemoryLimit> memory_;
  MemoryShare share_;
  std::size_t bytes_ = 0;       // memory of all slots, including unused capacity
  std::size_t free_bytes_ = 0;  // memory of the unused slots
  IdTable table_;
  std::deque<Slot> slots_;  // a deque never moves its slots: no pause when there are many
  std::vector<Place> free_;
  List lists_[3];
};

}  // namespace askfew
