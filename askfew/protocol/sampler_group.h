#pragma once

// Runs a round of many tasks of the same type in one call.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "askfew/core/shared_margins.h"
#include "askfew/estimates/calibration.h"
#include "askfew/estimates/confusion.h"
#include "askfew/protocol/member_bits.h"
#include "askfew/protocol/sampler.h"

namespace askfew {

class AnySampler;

/// A task of a group: its sampler and what the task counts.
struct GroupMember {
  AnySampler* sampler = nullptr;
  Confusion* confusion = nullptr;
  Calibration* calibration = nullptr;
};

/// Tasks whose samplers have the same type and whose margins are computed together. One call runs a round of
/// all of them. The result is the same as if each task ran alone.
class SamplerGroup {
 public:
  SamplerGroup() = default;
  SamplerGroup(const SamplerGroup&) = delete;
  SamplerGroup& operator=(const SamplerGroup&) = delete;
  SamplerGroup(SamplerGroup&&) = delete;
  SamplerGroup& operator=(SamplerGroup&&) = delete;
  virtual ~SamplerGroup() = default;

  /// A pass over at most so many instances. Samplers and counts of the members are up to date only before
  /// and after a pass.
  class Pass {
   public:
    Pass(SamplerGroup& group, std::uint64_t rounds) : group_(group) { group_.begin(rounds); }
    ~Pass() { group_.end(); }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    Pass(Pass&&) = delete;
    Pass& operator=(Pass&&) = delete;

   private:
    SamplerGroup& group_;
  };

  /// Runs a round of every member, and learns the labels that are asked; labels[k]: of the k-th member.
  /// Returns whether a label was asked. REQUIRES: inside a pass; x is prepared in `shared`. THROWS:
  /// NumericError, MemoryError; then the member that failed has learned nothing of its round, and each other
  /// member has completed the round or not begun it.
  virtual bool run(const FeatureView& x, const SharedMargins& shared, std::span<const Label> labels) = 0;

 private:
  virtual void begin(std::uint64_t rounds) = 0;
  virtual void end() = 0;
};

/// A member whose learner and rule are known.
template <class L, class R>
struct TypedMember {
  Sampler<L, R>* sampler;
  Confusion* confusion;
  Calibration* calibration;

  /// Runs a round of this member alone. Returns whether the label was asked. THROWS: NumericError,
  /// MemoryError.
  bool run(const FeatureView& x, double margin, double norm, Label y) const {
    bool asked = false;
    const Label prediction = sampler->run(x, margin, norm, y, [&](const Query& query, Label label) {
      calibration->add(query.score.margin, label, query.chance());
      asked = true;
    });
    confusion->add(prediction, y);
    return asked;
  }
};

template <class L, class R>
class SamplerGroupOf final : public SamplerGroup {
 public:
  /// REQUIRES: the margin of the sampler has the next place; the arguments outlive the group.
  void add(Sampler<L, R>& sampler, Confusion& confusion, Calibration& calibration) {
    members_.push_back({{&sampler, &confusion, &calibration}});
    constexpr std::size_t at_once = 8;  // see SharedMargins::compare
    bounds_.resize((members_.size() + at_once - 1) / at_once * at_once,
                   std::numeric_limits<double>::infinity());
  }

  bool run(const FeatureView& x, const SharedMargins& shared, std::span<const Label> labels) override {
    const double norm = std::sqrt(x.squared_norm());
    std::uint64_t loud = low_bits(members_.size());
    if constexpr (StaysSilent<R>) {
      if (norm > smallest_silent) {
        const MarginBits bits = shared.compare(bounds_, norm, smallest_silent);
        count_silent(loud & bits.large, bits.positive, positive_bits(labels));
        loud &= ~bits.large;
      }
      for_each_bit(loud, [&](std::size_t k) { catch_up(members_[k]).seen = rounds_ + 1; });
      ++rounds_;
    }
    const std::span<const double> margins = shared.margins();
    bool asked = false;
    for_each_bit(loud, [&](std::size_t k) {
      const Member& member = members_[k];
      if (!member.run(x, margins[k], norm, labels[k])) return;
      asked = true;
      if constexpr (StaysSilent<R>) bounds_[k] = member.sampler->silent_above(last_round_ - rounds_);
    });
    return asked;
  }

 private:
  struct Member : TypedMember<L, R> {
    // Rounds of this pass: those that the sampler has counted, and silent rounds since then in which the
    // prediction or the label was positive.
    std::uint64_t seen = 0;
    std::uint64_t positives = 0;
  };

  void begin(std::uint64_t rounds) override {
    rounds_ = 0;
    last_round_ = rounds;
    for (std::size_t k = 0; k < members_.size(); ++k) {
      members_[k].seen = 0;
      if constexpr (StaysSilent<R>) bounds_[k] = members_[k].sampler->silent_above(rounds);
    }
  }
  void end() override {
    for (Member& member : members_) catch_up(member);
  }

  /// Silent rounds are told to the sampler later; most of them are true negatives.
  void count_silent(std::uint64_t silent, std::uint64_t predicted, std::uint64_t labels) {
    for_each_bit(silent & (predicted | labels), [&](std::size_t k) {
      members_[k].confusion->add(label_at(predicted, k), label_at(labels, k));
      ++members_[k].positives;
    });
  }
  Member& catch_up(Member& member) {
    if (member.seen >= rounds_) return member;
    const std::uint64_t rounds = rounds_ - member.seen;
    member.sampler->decider().pass_silent_rounds(rounds);
    member.confusion->true_negatives += rounds - member.positives;
    member.seen = rounds_;
    member.positives = 0;
    return member;
  }

  std::vector<Member> members_;
  std::vector<double> bounds_;    // see StaysSilent
  std::uint64_t rounds_ = 0;      // of this pass
  std::uint64_t last_round_ = 0;  // of this pass
};

}  // namespace askfew
