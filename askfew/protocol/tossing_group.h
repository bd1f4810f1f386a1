#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "askfew/protocol/sampler_group.h"
#include "askfew/protocol/tossed_rounds.h"

namespace askfew {

/// A group whose rule asks with probability b/(b + |m|): TossedRounds decides and counts the rounds of all
/// members at once, and only a member that may learn a label runs its own code.
template <class L, class R>
class TossingGroupOf final : public SamplerGroup {
 public:
  /// REQUIRES: the margin of the sampler has the next place; the arguments outlive the group.
  void add(Sampler<L, R>& sampler, Confusion& confusion, Calibration& calibration) {
    members_.push_back({&sampler, &confusion, &calibration});
    tossed_.add(sampler.decider().coin_key(), confusion, calibration);
  }

  bool run(const FeatureView& x, const SharedMargins& shared, std::span<const Label> labels) override {
    const double norm = std::sqrt(x.squared_norm());
    if (is_tossing_) {
      const std::uint64_t positive = positive_bits(labels);
      const TossBits toss = tossed_.toss(shared.margins(), positive);
      if (toss.is_finite && std::isfinite(norm)) {
        return run_all(x, norm, shared.margins(), toss, toss.positive ^ positive, labels);
      }
      end();  // one of the members will fail
    }
    bool asked = false;
    for (std::size_t k = 0; k < members_.size(); ++k)
      asked |= members_[k].run(x, shared.margins()[k], norm, labels[k]);
    return asked;
  }

 private:
  /// All coins are tossed at once if nothing but the rule and the coins decides, and if all members are in
  /// the same round.
  void begin(std::uint64_t /*rounds*/) override {
    if (members_.empty()) return;
    const std::uint64_t round = members_[0].sampler->tally().round;
    tossed_.begin(round);
    is_tossing_ = true;
    learns_without_mistake_ = 0;
    for (std::size_t k = 0; k < members_.size(); ++k) {
      Sampler<L, R>& sampler = *members_[k].sampler;
      is_tossing_ &= sampler.is_plain() && sampler.tally().round == round;
      tossed_.begin_task(k, sampler.decider().rule().half_margin(), sampler.tally().expected_asked);
      learns_without_mistake_ |= std::uint64_t{sampler.policy() != UpdatePolicy::mistake} << k;
    }
  }
  void end() override {
    if (!is_tossing_) return;
    is_tossing_ = false;
    tossed_.finish();
    for (std::size_t k = 0; k < members_.size(); ++k) {
      members_[k].sampler->decider().pass_rounds(tossed_.rounds(), tossed_.asked(k),
                                                 tossed_.expected_asked(k));
    }
  }

  bool run_all(const FeatureView& x, double norm, std::span<const double> margins, const TossBits& toss,
               std::uint64_t mistakes, std::span<const Label> labels) {
    std::size_t learning = 0;
    try {
      for_each_bit(toss.asked & (mistakes | learns_without_mistake_), [&](std::size_t k) {
        learning = k;
        members_[k].sampler->tell_now(x, labels[k],
                                      {.round = tossed_.round(),
                                       .prediction = sgn(margins[k]),
                                       .score = {.margin = margins[k], .norm = norm},
                                       .probability = tossed_.probability(k),
                                       .asked = true});
      });
    } catch (...) {
      end();
      count_until(learning, norm, margins, labels);
      throw;
    }
    tossed_.count();
    return toss.asked != 0;
  }
  /// Counts a round that the members before `failed` have completed. The member `failed` has asked its label,
  /// but learned nothing.
  void count_until(std::size_t failed, double norm, std::span<const double> margins,
                   std::span<const Label> labels) {
    for (std::size_t k = 0; k <= failed; ++k) {
      const auto& [sampler, confusion, calibration] = members_[k];
      sampler->decider().begin_idle_round();
      const auto decision = sampler->decider().decide_plainly({.margin = margins[k], .norm = norm});
      if (decision.asked) calibration->add(margins[k], labels[k], decision.probability);
      if (k < failed) confusion->add(sgn(margins[k]), labels[k]);
    }
  }

  std::vector<TypedMember<L, R>> members_;
  TossedRounds tossed_;
  bool is_tossing_ = false;
  std::uint64_t learns_without_mistake_ = 0;  // members with such a policy
};

}  // namespace askfew
