#pragma once

#include "askfew/protocol/any_sampler.h"

namespace askfew {

/// A sampler that asks for nothing; its tally can be set.
class FakeSampler : public AnySampler {
 public:
  FakeSampler() = default;
  explicit FakeSampler(const Tally& tally) : tally_(tally) {}

  void advance_to(std::int64_t /*time*/) override {}
  Query ask(const FeatureView& /*x*/) override { return {.round = ++tally_.round}; }
  [[nodiscard]] std::unique_ptr<SamplerGroup> make_group(
      std::span<const GroupMember> /*members*/) const override {
    return nullptr;
  }
  double see(const FeatureView& x) override { return margin(x); }
  Query ask_seen(const FeatureView& x) override { return ask(x); }
  [[nodiscard]] Query peek(const FeatureView& /*x*/) const override { return {.round = tally_.round + 1}; }
  bool tell(const FeatureView& /*x*/, Label /*y*/, const Query& /*query*/) override { return false; }
  [[nodiscard]] Explanation explain(const FeatureView& /*x*/, const Query& /*query*/) const override {
    return {};
  }
  void read_ahead(std::span<const FeatureView> /*upcoming*/) override {}
  [[nodiscard]] double margin(const FeatureView& /*x*/) const override { return 0; }
  [[nodiscard]] double norm(const FeatureView& /*x*/) const override { return 1; }
  [[nodiscard]] double cut() const override { return 0; }
  [[nodiscard]] bool started() const override { return true; }
  [[nodiscard]] std::optional<LinearForm> linear_form() const override { return std::nullopt; }
  [[nodiscard]] double offset() const override { return 0; }
  [[nodiscard]] bool has_local_weights() const override { return false; }
  void set_weights(std::span<const double> /*weights*/) override {}
  [[nodiscard]] const Tally& tally() const override { return tally_; }

 private:
  void write_state(SnapshotWriter& /*visit*/) const override {}
  void read_state(SnapshotReader& /*visit*/) override {}
  [[nodiscard]] bool consistent() const override { return true; }

  Tally tally_;
};

}  // namespace askfew
