#pragma once

#include <span>
#include <vector>

#include "askfew/protocol/one_vs_rest.h"

namespace askfew {

/// Several topics with one decision per document: whoever opens a document labels all of its topics at once.
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
  DocumentDecider(std::span<Task> topics, AnyDecisions& decisions)
      : topics_(topics), decider_(decisions), rounds_(topics.size()) {}

  /// The rounds of all topics, which share everything but the margin and the prediction. THROWS:
  /// NumericError, MemoryError.
  std::span<Round> ask(const FeatureView& x);
  /// Learns the labels of an asked document, and marks the rounds of `ask` whose learners were updated.
  /// `labels`: one per topic. THROWS: NumericError, MemoryError.
  void tell(const FeatureView& x, std::span<const Label> labels);

 private:
  std::span<Task> topics_;
  AnyDecisions& decider_;
  std::vector<Round> rounds_;  // of the last document
};

}  // namespace askfew
