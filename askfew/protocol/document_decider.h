#pragma once

#include <span>
#include <vector>

#include "askfew/protocol/one_vs_rest.h"

namespace askfew {

/// Several topics with one decision per document: whoever opens a document labels its topics at once.
///
///   score   the margin nearest to 0 among the topics, and the norm of x: no probability of a rule rises with
///           |margin|, so this topic has the largest probability of all
///   asked   the learner of every topic is told its label, and updates by its policy
///
/// The samplers of the topics ask for every label that they see; DocumentDecider decides which documents they
/// see.
class DocumentDecider {
 public:
  /// REQUIRES: at least one topic.
  DocumentDecider(std::span<Task> topics, AnyDecisions& decisions) : topics_(topics), decider_(decisions) {}

  /// Writes the rounds of all topics, which share everything but the margin and the prediction. REQUIRES: one
  /// round per topic. THROWS: NumericError, MemoryError.
  void ask(const FeatureView& x, std::span<Round> rounds);
  /// The rounds that `ask` would write; changes nothing. THROWS: as `ask`.
  void peek(const FeatureView& x, std::span<Round> rounds) const;
  /// Learns the label of one topic of an asked document, now or later; returns whether the learner was
  /// updated. `observe` must follow the labels that came at the same time. THROWS: NumericError, MemoryError.
  bool tell(const FeatureView& x, Label label, std::size_t topic, const Round& round);
  /// The rule sees the labels of a document that were told since the last call as one observation: was any
  /// prediction wrong, was any learner updated?
  void observe(const Query& query);

  /// The score of the document, of which the rounds are the topics: its margin is the nearest to 0.
  static Score score_of(std::span<const Round> rounds);

 private:
  /// Sets the margin and the prediction of a topic's round. THROWS: NumericError if the margin is not finite.
  void judge(double margin, std::size_t topic, Round& round) const;
  [[nodiscard]] bool have_started() const;
  static void share(const Query& common, std::span<Round> rounds);

  struct Told {
    bool is_observed = false;  // a start of a learner is not an update, and no rule observes it
    bool mistake = false;
    bool updated = false;
  };

  std::span<Task> topics_;
  AnyDecisions& decider_;
  Told told_;                     // since the last call of `observe`
  std::uint64_t last_round_ = 0;  // the round of the instance that the samplers saw last; 0: none
};

}  // namespace askfew
