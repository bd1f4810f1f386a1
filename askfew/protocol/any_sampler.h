#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "askfew/protocol/sampler.h"
#include "askfew/protocol/sampler_group.h"
#include "askfew/protocol/tossing_group.h"

namespace askfew {

/// A sampler whose learner and rule were chosen at run time. Many threads may call const members at the same
/// time if no thread calls another member.
class AnySampler {
 public:
  AnySampler() = default;
  AnySampler(const AnySampler&) = delete;
  AnySampler& operator=(const AnySampler&) = delete;
  AnySampler(AnySampler&&) = delete;
  AnySampler& operator=(AnySampler&&) = delete;
  virtual ~AnySampler() = default;

  /// The stream's time of the next instance, in seconds since 1970, for budgets that depend on time.
  virtual void advance_to(std::int64_t time) = 0;
  virtual Query ask(const FeatureView& x) = 0;
  /// Joins samplers that share their margins to a group; the k-th member has the k-th margin. Null if one of
  /// them has another type than this sampler or another margin, or if this type of sampler shares no margins.
  [[nodiscard]] virtual std::unique_ptr<SamplerGroup> make_group(
      std::span<const GroupMember> members) const = 0;
  /// See Sampler::see and ask_seen.
  virtual double see(const FeatureView& x) = 0;
  virtual Query ask_seen(const FeatureView& x) = 0;
  virtual bool tell(const FeatureView& x, Label y, const Query& query) = 0;
  /// See Sampler::peek.
  [[nodiscard]] virtual Query peek(const FeatureView& x) const = 0;
  /// See Sampler::explain.
  [[nodiscard]] virtual Explanation explain(const FeatureView& x, const Query& query) const = 0;
  virtual void read_ahead(std::span<const FeatureView> upcoming) = 0;
  [[nodiscard]] virtual double margin(const FeatureView& x) const = 0;
  [[nodiscard]] virtual double norm(const FeatureView& x) const = 0;
  /// See Sampler::cut.
  [[nodiscard]] virtual double cut() const = 0;
  [[nodiscard]] virtual bool started() const = 0;
  /// See Sampler::linear_form, offset, has_local_weights and set_weights.
  [[nodiscard]] virtual std::optional<LinearForm> linear_form() const = 0;
  [[nodiscard]] virtual double offset() const = 0;
  [[nodiscard]] virtual bool has_local_weights() const = 0;
  virtual void set_weights(std::span<const double> weights) = 0;
  [[nodiscard]] virtual const Tally& tally() const = 0;
  void save(Snapshot& snapshot, const std::string& prefix) const;
  /// THROWS: ModelError.
  void load(const Snapshot& snapshot, const std::string& prefix);

 private:
  virtual void write_state(SnapshotWriter& visit) const = 0;
  virtual void read_state(SnapshotReader& visit) = 0;
  /// See Sampler::consistent.
  [[nodiscard]] virtual bool consistent() const = 0;
};

template <class L, class R>
class ErasedSampler final : public AnySampler {
 public:
  /// `make` returns the sampler, which is made in its place.
  template <std::invocable Make>
  explicit ErasedSampler(Make&& make) : sampler_(make()) {}

  void advance_to(std::int64_t time) override { sampler_.advance_to(time); }
  Query ask(const FeatureView& x) override { return sampler_.ask(x); }
  [[nodiscard]] std::unique_ptr<SamplerGroup> make_group(
      std::span<const GroupMember> members) const override {
    if constexpr (HasSharedMargin<L>) {
      if (members.size() > max_members) return nullptr;
      using Group = std::conditional_t<HasHalfMargin<R>, TossingGroupOf<L, R>, SamplerGroupOf<L, R>>;
      auto group = std::make_unique<Group>();
      for (std::size_t k = 0; k < members.size(); ++k) {
        auto* const same = dynamic_cast<ErasedSampler*>(members[k].sampler);
        if (same == nullptr || same->sampler_.learner().margin_place() != k) return nullptr;
        group->add(same->sampler_, *members[k].confusion, *members[k].calibration);
      }
      return group;
    } else {
      return nullptr;
    }
  }
  double see(const FeatureView& x) override { return sampler_.see(x); }
  Query ask_seen(const FeatureView& x) override { return sampler_.ask_seen(x); }
  bool tell(const FeatureView& x, Label y, const Query& query) override { return sampler_.tell(x, y, query); }
  [[nodiscard]] Query peek(const FeatureView& x) const override { return sampler_.peek(x); }
  [[nodiscard]] Explanation explain(const FeatureView& x, const Query& query) const override {
    return sampler_.explain(x, query);
  }
  void read_ahead(std::span<const FeatureView> upcoming) override { sampler_.read_ahead(upcoming); }
  [[nodiscard]] double margin(const FeatureView& x) const override { return sampler_.margin(x); }
  [[nodiscard]] double norm(const FeatureView& x) const override { return sampler_.norm(x); }
  [[nodiscard]] double cut() const override { return sampler_.cut(); }
  [[nodiscard]] bool started() const override { return sampler_.started(); }
  [[nodiscard]] std::optional<LinearForm> linear_form() const override { return sampler_.linear_form(); }
  [[nodiscard]] double offset() const override { return sampler_.offset(); }
  [[nodiscard]] bool has_local_weights() const override { return sampler_.has_local_weights(); }
  void set_weights(std::span<const double> weights) override { sampler_.set_weights(weights); }
  [[nodiscard]] const Tally& tally() const override { return sampler_.tally(); }

 private:
  void write_state(SnapshotWriter& visit) const override { Sampler<L, R>::state(sampler_, visit); }
  void read_state(SnapshotReader& visit) override { Sampler<L, R>::state(sampler_, visit); }
  [[nodiscard]] bool consistent() const override { return sampler_.consistent(); }

  Sampler<L, R> sampler_;
};

}  // namespace askfew
