#pragma once

// Several classes with one decision per round: one learner per class.

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "askfew/core/round.h"
#include "askfew/protocol/ask_decider.h"
#include "askfew/protocol/task.h"

namespace askfew {

/// The class of the largest margin (the first among equals), and the difference between the largest and the
/// second largest margin.
struct TopTwo {
  std::size_t first = 0;
  double margin = 0;
};
/// REQUIRES: at least two margins.
TopTwo top_two(std::span<const double> margins);

/// A version that no sampler has: its last query was about another instance, and a label that comes late must
/// be learned from its own instance.
inline constexpr std::uint64_t of_another_instance = std::numeric_limits<std::uint64_t>::max();

/// An AskDecider whose rule was chosen at run time.
class AnyDecisions {
 public:
  AnyDecisions() = default;
  AnyDecisions(const AnyDecisions&) = delete;
  AnyDecisions& operator=(const AnyDecisions&) = delete;
  AnyDecisions(AnyDecisions&&) = delete;
  AnyDecisions& operator=(AnyDecisions&&) = delete;
  virtual ~AnyDecisions() = default;

  virtual void advance_to(std::int64_t time) = 0;
  /// Decides a round: is the label worth asking? Always yes until the learners have `started`.
  virtual Query decide(const Score& score, bool started) = 0;
  /// The same for a round that somebody else has decided: the tally and the budget follow `asked`.
  virtual Query follow(const Score& score, bool asked) = 0;
  /// The query that `decide` would return; changes nothing.
  [[nodiscard]] virtual Query peek(const Score& score, bool started) const = 0;
  virtual void observe(const Query& query, bool mistake, bool updated) = 0;
  /// See AskDecider::explain.
  [[nodiscard]] virtual Explanation explain(const Query& query) const = 0;
  [[nodiscard]] virtual const Tally& tally() const = 0;
  virtual void save(Snapshot& snapshot, const std::string& prefix) const = 0;
  /// THROWS: ModelError.
  virtual void load(const Snapshot& snapshot, const std::string& prefix) = 0;
};

template <class R>
class ErasedDecisions final : public AnyDecisions {
 public:
  explicit ErasedDecisions(AskDecider<R> decisions) : decider_(std::move(decisions)) {}

  void advance_to(std::int64_t time) override { decider_.advance_to(time); }
  Query decide(const Score& score, bool started) override { return decide(score, started, decider_); }
  Query follow(const Score& score, bool asked) override { return decide(score, true, decider_, asked); }
  [[nodiscard]] Query peek(const Score& score, bool started) const override {
    AskDecider<R> decider = decider_;
    return decide(score, started, decider);
  }
  void observe(const Query& query, bool mistake, bool updated) override {
    decider_.observe(query, mistake, updated);
  }
  [[nodiscard]] Explanation explain(const Query& query) const override { return decider_.explain(query); }
  [[nodiscard]] const Tally& tally() const override { return decider_.tally(); }
  void save(Snapshot& snapshot, const std::string& prefix) const override {
    SnapshotWriter visit(snapshot, prefix);
    AskDecider<R>::state(decider_, visit);
  }
  void load(const Snapshot& snapshot, const std::string& prefix) override {
    SnapshotReader visit(snapshot, prefix);
    AskDecider<R>::state(decider_, visit);
    if (!decider_.consistent()) throw ModelError(prefix + "decisions: their parts do not match");
  }

 private:
  static Query decide(const Score& score, bool started, AskDecider<R>& decider,
                      std::optional<bool> asked = std::nullopt) {
    Query query = decider.begin(0);
    query.score = score;
    decider.expect_finite(score.norm, "the norm of the instance");
    decider.expect_finite(score.margin, "the margin");
    if (started) {
      decider.decide(query);
    } else {
      decider.ask_surely(query);
    }
    query.asked = asked.value_or(query.asked);
    decider.end(query);
    return query;
  }

  AskDecider<R> decider_;
};

/// A task with several classes: one learner per class against the rest, and one decision per round for all
/// classes.
///
///   prediction  the class of the largest margin, the first among equals
///   score       the largest margin minus the second largest, and the norm of x
///   asked       every class's learner is told whether the label is its class, and updates by its policy
///
/// The samplers of the classes ask for every label that they see; OneVsRest decides which labels they see.
class OneVsRest {
 public:
  /// REQUIRES: at least two classes.
  OneVsRest(std::span<Task> classes, AnyDecisions& decisions)
      : classes_(classes), decider_(decisions), margins_(classes.size()) {}

  /// A query with the top-two margin, and the predicted class. THROWS: NumericError, MemoryError.
  Round ask(const FeatureView& x);
  /// The round that `ask` would return; changes nothing. THROWS: NumericError, MemoryError.
  [[nodiscard]] Round peek(const FeatureView& x) const;
  /// Learns the class of an asked round, now or later, like Sampler::tell. Returns whether any learner was
  /// updated. REQUIRES: round.query.asked. THROWS: NumericError, MemoryError.
  bool tell(const FeatureView& x, LabelNumber truth, const Round& round);
  /// Learns late labels as sessions of earlier versions did, to replay their ledgers: a learner that scales
  /// instances learned them with the features of the last instance.
  void mix_late_labels() { mixes_late_ = true; }

 private:
  /// THROWS: NumericError if a margin is not finite.
  TopTwo judge(std::span<const double> margins) const;
  [[nodiscard]] Score score_of(const FeatureView& x, const TopTwo& top) const {
    return {.margin = top.margin, .norm = classes_[0].sampler->norm(x)};
  }

  std::span<Task> classes_;
  AnyDecisions& decider_;
  std::vector<double> margins_;   // margins of the last query
  std::uint64_t last_round_ = 0;  // the round of the instance that the samplers saw last; 0: none
  bool mixes_late_ = false;
};

}  // namespace askfew
