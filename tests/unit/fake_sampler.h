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
  bool tell(const FeatureView& /*x*/, Label /*y*/, const Query& /*query*/) override { return false; }
  [[nodiscard]] std::size_t growth(const FeatureView& /*x*/) const override { return 0; }
  [[nodiscard]] Explanation explain(const FeatureView& /*x*/, const Query& /*query*/) const override {
    return {};
  }
  void read_ahead(std::span<const FeatureView> /*upcoming*/) override {}
  [[nodiscard]] double margin(const FeatureView& /*x*/) const override { return 0; }
  [[nodiscard]] double norm(const FeatureView& /*x*/) const override { return 1; }
  [[nodiscard]] bool started() const override { return true; }
  [[nodiscard]] const Tally& tally() const override { return tally_; }
  void save(Snapshot& /*snapshot*/, const std::string& /*prefix*/) const override {}
  void load(const Snapshot& /*snapshot*/, const std::string& /*prefix*/) override {}

 private:
  Tally tally_;
};

}  // namespace askfew
