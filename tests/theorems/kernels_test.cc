// The promises of the kernel learners.

#include <cstring>
#include <gtest/gtest.h>

#include "askfew/learners/kernel/forgetron.h"

#include "tests/theorems/repeated_runs.h"

namespace askfew {
namespace {

/// Dekel, Shalev-Shwartz, Singer 2008: mistakes <= 2 |g|^2 + 4 (sum of g's hinge losses) for |g| <= U.
TEST(Dekel2008, forgetron_makes_at_most_as_many_mistakes_as_the_bound) {
  constexpr double B = 400;
  const double max_norm = std::sqrt((B + 1) / std::log(B + 1)) / 4;
  for (const double noise : {0.0, 0.1}) {
    std::mt19937_64 random(8);
    const std::vector<double> u = test::random_teacher(random, 60);
    const double norm = std::min(max_norm, 2.0);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const auto sampler = make_sampler(test::config_of("forgetron:B=400,kernel=linear", "always"), {});
      double mistakes = 0;
      double loss = 0;
      for (const auto& example : test::teacher_stream(seed, 6000, u, 8, 0.05, noise)) {
        const Query query = sampler->ask(example.x());
        mistakes += query.prediction != example.y ? 1 : 0;
        loss += std::max(0.0, 1 - sign(example.y) * norm * test::dot(u, example));
        sampler->tell(example.x(), example.y, query);
      }
      EXPECT_LE(mistakes, 2 * norm * norm + 4 * loss);
    }
  }
}

// Figure 3: the damage Q of forgetting never exceeds 15/32 of the mistakes, and below the budget nothing is
// forgotten.
TEST(Dekel2008, forgetting_costs_at_most_15_32_of_the_mistakes) {
  Forgetron::Params params;
  params.B = 20;
  params.gamma = 0.5;
  Forgetron forgetron(params, {});
  std::uint64_t updates = 0;
  for (const auto& example : test::teacher_stream(9, 3000, 40, 8, 0, 0.2)) {
    const double margin = forgetron.margin(example.x());
    if (sgn(margin) == example.y) continue;
    forgetron.update(example.x(), example.y, margin);
    ++updates;
    ASSERT_TRUE(forgetron.consistent());
    Snapshot snapshot;
    SnapshotWriter writer(snapshot, "");
    Forgetron::state(forgetron, writer);
    double damage = 0;
    std::memcpy(&damage, snapshot.tensors.at("damage").bytes.data(), sizeof damage);
    ASSERT_LE(damage, 15.0 / 32 * static_cast<double>(updates) * (1 + 1e-12));
    ASSERT_TRUE(damage == 0 || updates > 20);
  }
  EXPECT_GT(updates, 200U);
}

// Crammer et al. 2006: the step of kernel-pa is just long enough.
TEST(Crammer2006, kernel_pa_suffers_no_loss_after_its_update) {
  for (const char* kernel : {"kernel=rbf", "kernel=polynomial", "kernel=linear"}) {
    const auto sampler = make_sampler(test::config_of(std::string("kernel-pa:") + kernel, "always"), {});
    for (const auto& example : test::teacher_stream(10, 300, 40, 8, 0, 0.1)) {
      const Query query = sampler->ask(example.x());
      if (sampler->tell(example.x(), example.y, query)) {
        ASSERT_NEAR(sign(example.y) * sampler->margin(example.x()), 1, 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace askfew
