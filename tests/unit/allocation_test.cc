// A round allocates nothing after warm-up, for every learner and rule.

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

#include "askfew/catalog/catalog.h"

#include "tests/streams.h"

namespace {

std::atomic<std::uint64_t> allocations = 0;

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size);
}
void* operator new[](std::size_t size) {
  return counted(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace askfew {
namespace {

TEST(Allocation, none_in_a_round_after_warm_up) {
  constexpr FeatureView::Index dimension = 12;  // few, for the cutting planes
  const test::Stream warm_up = test::teacher_stream(1, 2000, dimension, 8, 0, 0.2);
  const test::Stream measured = test::teacher_stream(2, 2000, dimension, 8, 0, 0.2);
  for (const LearnerEntry& learner : learner_entries()) {
    for (const RuleEntry& rule : rule_entries()) {
      if (!fit(learner, rule)) continue;
      SamplerConfig config{.learner = parse_learner(learner.info.name), .rule = parse_rule(rule.info.name)};
      if (config.learner.params.contains("B")) config.learner.params["B"] = 50;
      if (config.learner.params.contains("samples")) config.learner.params["samples"] = 2;
      config.update = standard_policy(config.learner);
      const auto sampler = make_sampler(config, {.dimension = dimension});
      const auto round = [&](const test::SparseExample& example) {
        const Query query = sampler->ask(example.x());
        if (query.asked) sampler->tell(example.x(), example.y, query);
      };
      for (const auto& example : warm_up) round(example);
      const std::uint64_t before = allocations;
      for (const auto& example : measured) round(example);
      EXPECT_EQ(allocations - before, 0) << text_of(config.learner) << " + " << text_of(config.rule);
    }
  }
}

TEST(Allocation, the_counter_counts) {
  const std::uint64_t before = allocations;
  const std::vector<double> some(100);
  EXPECT_EQ(allocations - before, 1);
}

}  // namespace
}  // namespace askfew
