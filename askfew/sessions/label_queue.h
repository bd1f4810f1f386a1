#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/core/round.h"
#include "askfew/sessions/id_table.h"
#include "askfew/sessions/overlap.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// The result of a label that came.
enum class LabelOutcome : std::uint8_t {
  learned,      ///< the first label for its question
  repeated,     ///< the same label again: nothing changes
  corrected,    ///< another label than before: learned as one more example, nothing is unlearned
  skipped,      ///< the labeller declined
  kept,         ///< declined after a label was given: the label stays
  expired,      ///< too late
  never_asked,  ///< for an instance whose label was not asked
  unknown,      ///< for an instance that is unknown or forgotten
  volunteered,  ///< for an instance whose label was not asked, in a session that takes such labels
  unsure,       ///< the labeller has looked and cannot tell
  collected     ///< one of several people's answers to a question: learned when enough have come
};
inline constexpr std::size_t label_outcomes = 11;
std::string_view text_of(LabelOutcome outcome);

/// What becomes of a label that was not asked. It never enters the estimates: nothing is known about the
/// probability with which such labels come.
enum class Volunteered : std::uint8_t {
  refused,  ///< the outcome is never_asked or unknown
  kept,     ///< recorded, and not learned
  learned
};
std::string_view text_of(Volunteered volunteered);
/// `refuse`, `keep` or `learn`; nothing for another text.
std::optional<Volunteered> parse_volunteered(std::string_view text);

/// An instance whose label was asked, with everything needed to learn the label later.
struct Question {
  FeatureView x;
  Query query;
  LabelNumber prediction = 0;
  std::int64_t time = 0;             ///< time of asking, in microseconds since 1970
  std::uint64_t content = 0;         ///< a hash of the instance as received
  std::string_view line{};           ///< the instance as it was received; kept until the label comes
  std::uint32_t people = 1;          ///< who answer the question
  std::optional<LabelNumber> label;  ///< the last label given
};

/// Questions by the id of their instance, until a label comes and for some time afterwards. An id refers to
/// the last instance with that id. Slots and their memory are reused: in the long run nothing is allocated.
/// The memory of the questions counts against a memory limit.
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

    bool operator==(const Options&) const = default;
  };

  /// `memory`: null if there is no limit.
  explicit LabelQueue(const Options& options, const std::shared_ptr<MemoryLimit>& memory = nullptr)
      : options_(options), memory_(memory), share_(memory) {}

  /// The round of the unanswered question with this id; 0 if there is none.
  [[nodiscard]] std::uint64_t waits(std::string_view id) const;
  /// REQUIRES: `waits(id)` is 0. THROWS: MemoryError.
  void add_asked(std::string_view id, const Question& question);
  /// Adds an instance whose label is not asked; its features are kept only if volunteered labels are learned.
  void add_unasked(std::string_view id, const Question& question);
  /// Adds an instance without a round, whose label is known beforehand: the label is in the question.
  /// REQUIRES: `was_asked(id)` is false.
  void add_known(std::string_view id, const Question& question);
  /// Is this the id of a question, answered or not?
  [[nodiscard]] bool was_asked(std::string_view id) const;
  /// The label that was volunteered for this id, if any.
  [[nodiscard]] std::optional<LabelNumber> volunteered_label(std::string_view id) const;
  [[nodiscard]] const Options& options() const { return options_; }
  void set_options(const Options& options) { options_ = options; }
  /// The earlier decision about the instance with this id, if the content is the same and no label of the
  /// instance came too late; else null. Valid until the next call.
  [[nodiscard]] const Question* recall(std::string_view id, std::uint64_t content) const;
  /// The question for which this label would be learned, or null.
  [[nodiscard]] const Question* taught_by(std::string_view id, std::optional<LabelNumber> label) const;

  /// An upper bound of a question's memory.
  static std::size_t bytes_of(std::string_view id, const FeatureView& x, std::string_view line = {});
  /// May questions with so many bytes be added? Yes, if the free memory afterwards is at least the memory of
  /// all questions, because learning from them may take as much memory again.
  [[nodiscard]] bool has_room_for(std::size_t bytes) const;
  /// Can a question with so many bytes be added at all, if questions with `others` bytes are added before?
  [[nodiscard]] bool fits(std::size_t bytes, std::size_t others) const;
  /// The memory of all questions that are waiting or kept.
  [[nodiscard]] std::size_t bytes() const { return bytes_ - free_bytes_; }

  /// Expires questions that are too old in this round and at this time; calls lost(question) for each, the
  /// oldest first.
  void expire(std::uint64_t round, std::int64_t time, const std::function<void(const Question&)>& lost);

  struct Taken {
    LabelOutcome outcome = LabelOutcome::unknown;
    /// The question, if there was one; after `learned` and `corrected` the caller must tell it to the
    /// learner. Valid until the next call.
    const Question* question = nullptr;
    std::optional<LabelNumber> before;  ///< the label before this one
  };
  /// Takes a label; nothing means that the labeller declines.
  Taken take(std::string_view id, std::optional<LabelNumber> label);

  [[nodiscard]] std::uint64_t waiting() const { return lists_[waiting_list].size; }
  /// The ids of the unanswered questions, the oldest first.
  [[nodiscard]] std::vector<std::string> waiting_ids() const;
  struct Waiting {
    std::string_view id;
    const Question* question = nullptr;
    std::span<const Vote> votes{};
  };
  /// The unanswered questions, the oldest first. Valid until the next call of a member that is not const.
  [[nodiscard]] std::vector<Waiting> waiting_questions() const;

  /// The question with this id if several people answer it, waiting or answered; else null.
  [[nodiscard]] const Question* shared(std::string_view id) const;
  /// The answers to a shared question so far, with this one, which replaces an earlier one of the same
  /// person.
  [[nodiscard]] std::vector<Vote> votes_with(std::string_view id, const Vote& vote) const;
  /// Returns whether the answers have changed. REQUIRES: `shared(id)`.
  bool set_votes(std::string_view id, const std::vector<Vote>& votes);
  /// Somebody has settled what people disagree on.
  void settle(std::string_view id);
  /// Shared questions with different labels that nobody has settled, while they are kept. Validity as above.
  [[nodiscard]] std::vector<Waiting> disputed_questions() const;

 private:
  using Place = IdTable::Place;
  enum class State : std::uint8_t { waiting, answered, declined, expired, unasked, known };
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
    State state = State::unasked;
    ListName list = unasked_list;
    Place before = IdTable::none;
    Place behind = IdTable::none;
    Question question;  // its features and its line are stored in the vectors below
    std::vector<FeatureView::Index> indices;
    std::vector<double> values;
    std::vector<char> line;
    bool has_features = false;
    std::vector<Vote> votes;
    bool is_settled = false;
  };

  /// The capacity of a slot; an empty string has some capacity as well.
  struct Room {
    std::size_t id = std::string().capacity();
    std::size_t indices = 0;
    std::size_t values = 0;
    std::size_t line = 0;
  };

  [[nodiscard]] Place find(std::string_view id, std::uint64_t hash) const;
  /// A slot with this id and capacity for features, not in any list yet; an older slot with the same id is
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
  void add_unasked(std::string_view id, const Question& question, State state);
  [[nodiscard]] static bool is_of_question(State state) {
    return state != State::unasked && state != State::known;
  }
  static void copy_features(const FeatureView& x, Slot& slot);
  static Room room_of(std::string_view id, const FeatureView& x, std::string_view line);
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
