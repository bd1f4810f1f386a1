#include "askfew/sessions/whatif.h"

#include <algorithm>
#include <fmt/core.h>
#include <vector>

#include "askfew/core/errors.h"
#include "askfew/sessions/replay.h"

namespace askfew {
namespace {

constexpr const char* nobodys = "nobody answers";  // the id of all instances whose label was not asked

/// A round of one task.
struct SeenRound {
  std::uint64_t number = 0;
  std::uint64_t instance = 0;  // the round of the instance, its id in the other session
  double chance = 0;           // the probability with which the recorded run asked
  LabelNumber recorded = 0;
  LabelNumber other = 0;
  std::optional<LabelNumber> truth;  // the label, if it was given
  bool asked = false;
  bool other_asked = false;
};

/// Passes the lines of a ledger to the other session. There the id of an instance is its round, so that a
/// repeated id is a new instance.
class Follower {
 public:
  Follower(const std::string& path, Session& other) : path_(path), other_(other) {}

  void follow(const Replayed& line) {
    if (const auto decisions = decisions_of(line.outcome); !decisions.empty()) {
      take_instance(line, decisions);
    } else if (const auto receipts = receipts_of(line.outcome); !receipts.empty()) {
      take_labels(line, receipts);
    } else if (std::holds_alternative<SettingsReceipt>(line.outcome)) {
      extend_labels(line.incoming.settings, line.time);
    }
  }
  /// Of each task.
  [[nodiscard]] std::vector<std::vector<SeenRound>> rounds() const {
    auto rounds = rounds_;
    rounds.resize(other_.task_count());
    return rounds;
  }

 private:
  void take_instance(const Replayed& line, std::span<const Decision> decisions) {
    other_.reader().read(line.incoming.line, line.incoming.number, incoming_);
    incoming_.line = {};  // nobody is asked here, so that nothing is kept to be shown
    // All instances without a label share one id: only the last of them is kept.
    incoming_.id = asks(decisions) ? std::to_string(decisions[0].round) : nobodys;
    // An instance equal to an earlier instance that also got no label is a new round.
    const Outcome outcome = other_.take_again(incoming_, line.time, line.outcome);
    const auto others = decisions_of(outcome);
    if (others.size() != decisions.size()) {
      throw ConfigError(fmt::format("{}: line {}: the other sampler does not take the instance: {}", path_,
                                    line.incoming.number, std::get<Refusal>(outcome).why));
    }
    rounds_.resize(std::max(rounds_.size(), decisions.size()));
    given_.clear();
    for (std::uint32_t k = 0; k < decisions.size(); ++k) {
      rounds_[k].push_back({.number = decisions[k].round,
                            .instance = decisions[0].round,
                            .chance = decisions[k].chance(),
                            .recorded = decisions[k].prediction,
                            .other = others[k].prediction,
                            .truth = std::nullopt,
                            .asked = decisions[k].asked,
                            .other_asked = others[k].asked});
      if (others[k].asked && !decisions[k].asked) given_.push_back({.task = k});
    }
    give(incoming_.id, line.time);
  }

  void take_labels(const Replayed& line, std::span<const LabelReceipt> receipts) {
    given_.clear();
    std::string id;
    for (const LabelReceipt& receipt : receipts) {
      const bool is_news =
          receipt.outcome == LabelOutcome::learned || receipt.outcome == LabelOutcome::corrected;
      if (!is_news) continue;
      std::vector<SeenRound>& rounds = rounds_[receipt.task];
      const auto round = std::ranges::lower_bound(rounds, receipt.round, {}, &SeenRound::number);
      round->truth = receipt.label;
      if (!round->other_asked) continue;
      id = std::to_string(round->instance);
      given_.push_back({.task = receipt.task, .label = receipt.label});
    }
    give(id, line.time);
  }

  /// New labels are those of the data. The other sampler keeps its own budget and audit.
  void extend_labels(const SettingsChange& change, std::int64_t time) {
    incoming_.kind = Incoming::Kind::settings;
    incoming_.settings = {};
    incoming_.settings.labels = change.labels;
    static_cast<void>(other_.take(incoming_, time));
  }

  /// Gives the labels of given_, if there are any; an empty one declines.
  void give(const std::string& id, std::int64_t time) {
    if (given_.empty()) return;
    incoming_.kind = Incoming::Kind::label;
    incoming_.id = id;
    incoming_.labels = given_;
    incoming_.others = OtherTopics::not_told;
    const Outcome outcome = other_.take(incoming_, time);
    if (const auto* refusal = std::get_if<Refusal>(&outcome);
        refusal != nullptr && refusal->code == RefusalCode::memory)
      throw MemoryError(path_ + ": the other sampler: " + refusal->why);
  }

  const std::string& path_;
  Session& other_;
  Incoming incoming_;
  std::vector<GivenLabel> given_;
  std::vector<std::vector<SeenRound>> rounds_;  // by task
};

/// The lower limit of the probabilities of the labels that came: the audit, or without an audit the smallest
/// probability.
double floor_of(const std::vector<SeenRound>& rounds, double audit) {
  if (audit > 0) return audit;
  double least = 1;
  for (const SeenRound& round : rounds) {
    if (round.truth) least = std::min(least, round.chance);
  }
  return least;
}

/// The quality of one run's predictions. For classes, only right or wrong counts.
std::optional<Quality> quality_of(const std::vector<SeenRound>& rounds, LabelNumber SeenRound::*prediction,
                                  const WhatIf& about) {
  ConfusionEstimate estimate(std::make_shared<CountGrid>(floor_of(rounds, about.audit)));
  bool is_sampled = about.audit > 0 || about.known == rounds.size();
  for (std::size_t k = 0; k < rounds.size(); ++k) {
    const SeenRound& round = rounds[k];
    const auto label_of = [&](LabelNumber label) {
      const bool positive = about.are_classes ? label != round.*prediction : label == 1;
      return positive ? Label::positive : Label::negative;
    };
    AskedLabel asked{.round = k + 1, .prediction = label_of(round.*prediction), .chance = round.chance};
    estimate.add(asked.prediction, round.asked || (about.audit > 0 && round.chance >= about.audit));
    if (round.truth) {
      asked.truth = label_of(*round.truth);
      estimate.label(asked);
      is_sampled |= round.chance < 1;
    } else if (round.asked) {
      estimate.mark_missing(asked);
    }
  }
  if (!is_sampled) return std::nullopt;
  constexpr double alpha = 0.05;
  return estimate.quality(alpha);
}

WhatIf compare(const std::vector<SeenRound>& rounds, std::size_t task, const Session& recorded,
               const Session& other) {
  const ModelConfig& config = recorded.model().config;
  WhatIf result{.rounds = rounds.size(),
                .audit = config.sampler.spending.audit,
                .are_classes = config.labels.kind == LabelPlan::Kind::one_of};
  for (std::size_t k = 0; k < rounds.size(); ++k) {
    if (rounds[k].truth) ++result.known;
    if (rounds[k].chance == 0) ++result.unreachable;
    if (!rounds[k].other_asked) continue;
    for (WhatIf::Part* part : {&result.coverage, &result.part_of_stream[k * WhatIf::parts / rounds.size()]}) {
      ++part->asked;
      if (rounds[k].truth) ++part->known;
    }
  }
  const auto run_of = [&](const Session& session, LabelNumber SeenRound::*prediction) {
    const Tally& tally = session.model().tally(task);
    return WhatIf::Run{.asked = tally.asked,
                       .expected_asked = tally.expected_asked,
                       .quality = quality_of(rounds, prediction, result)};
  };
  result.recorded = run_of(recorded, &SeenRound::recorded);
  result.other = run_of(other, &SeenRound::other);
  return result;
}

}  // namespace

std::vector<WhatIf> what_if(LedgerReader& reader, const std::string& path, Session& recorded, Session& other,
                            const std::atomic<bool>* stop) {
  Follower follower(path, other);
  // No checkpoint can stand for the lines that the other session needs.
  const LedgerObserver observer{.line = [&](const Session&, const Replayed& line) { follower.follow(line); },
                                .beside = {.name = "what if", .load = [](const Snapshot&) {}}};
  const ReplayEnd end = replay(reader, path, recorded, observer, stop);
  const std::vector<std::vector<SeenRound>> rounds = follower.rounds();
  std::vector<WhatIf> results;
  for (std::size_t task = 0; task < rounds.size(); ++task) {
    results.push_back(compare(rounds[task], task, recorded, other));
    results.back().stopped = end.stopped;
  }
  return results;
}

}  // namespace askfew
