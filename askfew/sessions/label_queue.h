#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/core/round.h"
#include "askfew/sessions/id_table.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// What a label was when it came.
enum class LabelOutcome : std::uint8_t {
  learned,      ///< the first for its question
  repeated,     ///< the one that is known already: nothing changes
  corrected,    ///< another one than before: one more example, nothing is unlearned
  skipped,      ///< who should give it declines
  kept,         ///< declined after a label was given: that one stays
  expired,      ///< too late
  never_asked,  ///< for an instance whose label nobody asked
  unknown       ///< for an instance that is not known, or not any more
};
inline constexpr std::size_t label_outcomes = 8;
std::string_view text_of(LabelOutcome outcome);

/// An instance whose label was asked, with all that is needed to learn it later.
struct Question {
  FeatureView x;
  Query query;
  LabelNumber prediction = 0;
  std::int64_t time = 0;             ///< when it was asked, in microseconds since 1970
  std::uint64_t content = 0;         ///< a hash of the instance as it came
  std::optional<LabelNumber> label;  ///< the last that was given
};

/// Questions by the id of their instance, until a label comes and for a while after that. An id means the
/// last instance that had it. Places are used again, with their room: in the long run nothing is allocated.
/// What they take counts against a limit of memory.
class LabelQueue {
 public:
  struct Options {
    /// So many of those that are answered, declined or expired are kept, and so many ids of instances that
    /// were not asked.
    std::uint64_t keep = 10'000;
    std::uint64_t max_rounds = 0;  ///< a question older than this expires; 0: never
    std::int64_t max_age = 0;      ///< likewise, in microseconds

    bool operator==(const Options&) const = default;
  };

  /// `memory`: none if there is no limit.
  explicit LabelQueue(const Options& options, const std::shared_ptr<MemoryLimit>& memory = nullptr)
      : options_(options), memory_(memory), share_(memory) {}

  /// Is there a question with this id that has no answer yet? Then its round, else 0.
  [[nodiscard]] std::uint64_t waits(std::string_view id) const;
  /// REQUIRES: `waits(id)` is 0. THROWS: MemoryError.
  void add_asked(std::string_view id, const Question& question);
  /// Of an instance whose label is not asked; its features are not kept.
  void add_unasked(std::string_view id, const Question& question);
  /// What was decided about the instance that has this id, if its content is the same, and no label of it
  /// came too late; else null. Valid until the next call.
  [[nodiscard]] const Question* recall(std::string_view id, std::uint64_t content) const;
  /// The question that this label would be learned for, or null.
  [[nodiscard]] const Question* taught_by(std::string_view id, std::optional<LabelNumber> label) const;

  /// What a question takes at most.
  static std::size_t bytes_of(std::string_view id, const FeatureView& x);
  /// Whether questions of so many bytes may be added. They may if as much remains free as all questions then
  /// take, since what is learned from them may take as much again.
  [[nodiscard]] bool has_room_for(std::size_t bytes) const;
  /// Whether a question of so many bytes can be added at all, if so many others are taken before.
  [[nodiscard]] bool fits(std::size_t bytes, std::size_t others) const;
  /// What the questions take that are waiting or kept.
  [[nodiscard]] std::size_t bytes() const { return bytes_ - free_bytes_; }

  /// Questions that are too old in this round and at this time have no answer any more; calls
  /// lost(question) for each, the oldest first.
  void expire(std::uint64_t round, std::int64_t time, const std::function<void(const Question&)>& lost);

  struct Taken {
    LabelOutcome outcome = LabelOutcome::unknown;
    /// What was asked, where something was; after learned and corrected it is to be told to the learner.
    /// Valid until the next call.
    const Question* question = nullptr;
    std::optional<LabelNumber> before;  ///< the label that it had
  };
  /// Takes a label, or nothing from one who declines.
  Taken take(std::string_view id, std::optional<LabelNumber> label);

  [[nodiscard]] std::uint64_t waiting() const { return lists_[waiting_list].size; }

 private:
  using Place = IdTable::Place;
  enum class State : std::uint8_t { waiting, answered, declined, expired, unasked };
  // Every place that is taken is in one of these, the oldest first.
  enum ListName : std::uint8_t { waiting_list, settled_list, unasked_list };
  struct List {
    Place first = IdTable::none;
    Place last = IdTable::none;
    std::uint64_t size = 0;
  };
  struct Slot {
    std::string id;
    std::uint64_t hash = 0;
    State state = State::unasked;
    ListName list = unasked_list;
    Place before = IdTable::none;
    Place behind = IdTable::none;
    Question question;  // its features are the two below
    std::vector<FeatureView::Index> indices;
    std::vector<double> values;
  };

  /// For how much a slot has room; an empty text has some.
  struct Room {
    std::size_t id = std::string().capacity();
    std::size_t indices = 0;
    std::size_t values = 0;
  };

  [[nodiscard]] Place find(std::string_view id, std::uint64_t hash) const;
  /// A slot with this id and room for features, which is in no list yet; another one with the id is
  /// forgotten.
  Place new_slot(std::string_view id, const Room& room);
  void link(Place place, ListName name);
  void unlink(Place place);
  void move(Place place, ListName name) {
    unlink(place);
    link(place, name);
  }
  void forget(Place place);
  void forget_more_than_are_kept(ListName name);
  static void copy_features(const FeatureView& x, Slot& slot);
  static Room room_of(std::string_view id, const FeatureView& x);
  static std::size_t bytes_of(const Room& room);
  static std::size_t bytes_in(const Slot& slot);
  /// Takes memory for so much more. THROWS: MemoryError.
  void grow(std::size_t bytes);
  void empty_free_slots();
  /// What free slots keep when they are emptied.
  [[nodiscard]] std::size_t least_of_free_slots() const { return free_.size() * bytes_of(Room{}); }

  Options options_;
  std::shared_ptr<MemoryLimit> memory_;
  MemoryShare share_;
  std::size_t bytes_ = 0;       // of all slots, with the room that they have
  std::size_t free_bytes_ = 0;  // of those that nobody uses
  IdTable table_;
  std::deque<Slot> slots_;  // they stay where they are: no pause when there are many
  std::vector<Place> free_;
  List lists_[3];
};

}  // namespace askfew
