// One model used from many threads: const members give the same results and change nothing.

#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "askfew/catalog/catalog.h"
#include "askfew/system/scratch_pool.h"
#include "askfew/system/worker_pool.h"

#include "tests/streams.h"

namespace askfew {
namespace {

constexpr unsigned threads = 4;
constexpr FeatureView::Index dimension = 12;  // small, for the cutting planes

/// Learners whose margins need scratch memory, in each of their forms, and all other learners with defaults.
std::vector<std::string> specs_of(const LearnerEntry& learner) {
  std::vector<std::string> specs{std::string(learner.info.name)};
  const AlgorithmSpec spec = parse_learner(learner.info.name);
  if (spec.params.contains("form")) {
    for (const char* form : {"primal", "dual"}) specs.push_back(specs[0] + ":form=" + form);
  }
  if (spec.params.contains("kernel")) {
    for (const char* kernel : {"linear", "polynomial"}) specs.push_back(specs[0] + ":kernel=" + kernel);
    specs.push_back(specs[0] + ":precision=single");
  }
  return specs;
}

std::unique_ptr<AnySampler> trained(const std::string& spec) {
  SamplerConfig config{.learner = parse_learner(spec), .rule = parse_rule("always")};
  if (config.learner.params.contains("samples")) config.learner.params["samples"] = 2;  // for speed
  config.update = standard_policy(config.learner);
  auto sampler = make_sampler(config, {.dimension = dimension});
  for (const auto& example : test::teacher_stream(31, 60, dimension, 7, 0, 0.1)) {
    const Query query = sampler->ask(example.x());
    if (query.asked) sampler->tell(example.x(), example.y, query);
  }
  return sampler;
}

TEST(SharedLearners, every_learner_predicts_the_same_from_four_threads_as_from_one) {
  const test::Stream examples = test::teacher_stream(32, 40, dimension, 7, 0, 0.1);
  WorkerPool pool(threads);
  for (const LearnerEntry& learner : learner_entries()) {
    for (const std::string& spec : specs_of(learner)) {
      const auto sampler = trained(spec);
      const AnySampler& shared = *sampler;
      std::vector<double> margins;
      std::vector<double> norms;
      for (const auto& example : examples) {
        margins.push_back(shared.margin(example.x()));
        norms.push_back(shared.norm(example.x()));
      }
      std::atomic<int> differences = 0;
      pool.run([&](unsigned worker) {
        for (std::size_t k = 0; k < 5 * examples.size(); ++k) {
          const std::size_t row = (k + worker * 7) % examples.size();
          const FeatureView x = examples[row].x();
          if (shared.margin(x) != margins[row] || shared.norm(x) != norms[row]) ++differences;
        }
      });
      EXPECT_EQ(differences, 0) << spec;
    }
  }
}

TEST(SharedLearners, a_learner_continues_after_many_threads_as_if_they_had_not_existed) {
  const test::Stream examples = test::teacher_stream(33, 40, dimension, 7, 0, 0.1);
  WorkerPool pool(threads);
  for (const LearnerEntry& learner : learner_entries()) {
    for (const std::string& spec : specs_of(learner)) {
      const auto alone = trained(spec);
      const auto shared = trained(spec);
      for (const auto& example : examples) {
        const Query a = alone->ask(example.x());
        const Query b = shared->ask(example.x());
        ASSERT_EQ(a.score.margin, b.score.margin) << spec;
        pool.run([&](unsigned worker) {
          static_cast<void>(shared->margin(examples[worker].x()));
          static_cast<void>(shared->margin(example.x()));
        });
        ASSERT_EQ(alone->tell(example.x(), example.y, a), shared->tell(example.x(), example.y, b)) << spec;
      }
    }
  }
}

TEST(ScratchPool, scratch_is_reused_and_never_lent_twice) {
  struct Room {
    std::atomic<int> borrowers = 0;
    int uses = 0;
  };
  const ScratchPool<Room> rooms;
  {
    const auto first = rooms.borrow();
    first->uses = 7;
    EXPECT_EQ(rooms.borrow()->uses, 0);
  }
  int found = 0;
  {
    const auto first = rooms.borrow();
    const auto second = rooms.borrow();
    found = first->uses + second->uses;
  }
  EXPECT_EQ(found, 7);
  std::atomic<int> lent_twice = 0;
  WorkerPool pool(2 * threads + 3);  // more threads than the pool keeps scratch for
  pool.run([&](unsigned /*worker*/) {
    for (int k = 0; k < 1000; ++k) {
      const auto room = rooms.borrow();
      if (room->borrowers.fetch_add(1) != 0) ++lent_twice;
      ++room->uses;
      room->borrowers.fetch_sub(1);
    }
  });
  EXPECT_EQ(lent_twice, 0);
}

TEST(ScratchPool, a_copy_begins_without_scratch_and_a_move_takes_it) {
  ScratchPool<int> rooms;
  *rooms.borrow() = 5;
  ScratchPool<int> copy(rooms);
  EXPECT_EQ(*copy.borrow(), 0);
  const ScratchPool<int> moved(std::move(rooms));
  EXPECT_EQ(*moved.borrow(), 5);
  copy = moved;
  EXPECT_EQ(*copy.borrow(), 0);
}

}  // namespace
}  // namespace askfew
