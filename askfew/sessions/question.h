#pragma once

// A question: an instance that is kept until its labels come, and for some time afterwards.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/core/round.h"
#include "askfew/sessions/overlap.h"

namespace askfew {

enum class QuestionState : std::uint8_t {
  unasked,   ///< the label is not asked; it may have been volunteered
  waiting,   ///< for a label
  answered,  ///< with a label
  declined,
  expired
};

/// What a session knows about one task of an instance. A task with classes is one task.
struct TaskQuestion {
  Query query;  ///< of an instance without a round: empty, with round 0
  LabelNumber prediction = 0;
  QuestionState state = QuestionState::unasked;
  std::optional<LabelNumber> label{};  ///< the last label given
  std::vector<Vote> votes{};           ///< if several people answer
  bool is_settled = false;             ///< somebody has decided what people disagree on

  [[nodiscard]] bool was_asked() const { return state != QuestionState::unasked; }

  static void list_state(auto& self, auto& visit) {
    visit("round", self.query.round);
    visit("query_prediction", self.query.prediction);
    visit("margin", self.query.score.margin);
    visit("norm", self.query.score.norm);
    visit("spread", self.query.score.spread);
    visit("probability", self.query.probability);
    visit("coin", self.query.coin);
    visit("asked", self.query.asked);
    visit("audit", self.query.audit);
    visit("audit_coin", self.query.audit_coin);
    visit("audited", self.query.audited);
    visit("version", self.query.version);
    visit("prediction", self.prediction);
    visit("state", self.state);
    visit("label", self.label);
    visit("votes", self.votes);
    visit("is_settled", self.is_settled);
  }
};

/// An instance with everything needed to learn its labels later: of every task of the session, one or many.
struct Question {
  FeatureView x;
  std::int64_t time = 0;                  ///< time of asking, in microseconds since 1970
  std::uint64_t content = 0;              ///< a hash of the instance as received
  std::string_view line{};                ///< the instance as it was received; kept until the labels come
  std::uint32_t people = 1;               ///< who answer the question
  std::span<const TaskQuestion> tasks{};  ///< at least one

  /// The round of the instance, which is that of its first task; 0: none.
  [[nodiscard]] std::uint64_t round() const { return tasks[0].query.round; }
  [[nodiscard]] bool waits() const { return has(QuestionState::waiting); }
  [[nodiscard]] bool was_asked() const {
    return std::ranges::any_of(tasks, [](const TaskQuestion& task) { return task.was_asked(); });
  }
  [[nodiscard]] bool has(QuestionState state) const {
    return std::ranges::any_of(tasks, [&](const TaskQuestion& task) { return task.state == state; });
  }
};

/// Have people given different labels, and nobody has settled it?
inline bool is_disputed(const TaskQuestion& task) {
  return !task.is_settled && are_different(task.votes);
}

/// What somebody says about one task of an instance.
struct GivenLabel {
  std::uint32_t task = 0;
  std::optional<LabelNumber> label{};  ///< nothing: declines

  bool operator==(const GivenLabel&) const = default;
};

}  // namespace askfew
