// Moroshko, Crammer, "Selective sampling with drift" (2014): the bounds of LASEC hold on every run, those of
// LASEC-SS in expectation, and both for every sequence of comparators. D, e and f are computed here from
// their definitions (Lemma 1), with inverses.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "askfew/theory/bounds.h"

#include "tests/theorems/second_order_runs.h"

namespace askfew {
namespace {

struct LasecParams {
  double b;
  double c;

  [[nodiscard]] std::string text() const { return fmt::format("lasec:b={},c={}", b, c); }
};

/// The quantities of Figure 1 after the updates of a run.
struct Definition {
  double information = 0;      ///< sum of x_k'D_k^-1 x_k
  double log_determinant = 0;  ///< ln |D/b|
  double least = 0;            ///< min over all sequences u_1, u_2, ... of Q, (4)
};

Definition definition(const std::vector<test::Update>& updates, const LasecParams& p) {
  const Eigen::Index dimension = updates.front().x.size();
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(dimension, dimension);
  Eigen::MatrixXd d = p.b * p.c / (p.c - p.b) * identity;
  Eigen::VectorXd e = Eigen::VectorXd::Zero(dimension);
  Definition result;
  double f = 0;
  for (const auto& k : updates) {
    const Eigen::MatrixXd inverse = (p.c * identity + d).inverse();
    f += k.y * k.y - e.dot(inverse * e);
    e = p.c * inverse * e + k.y * k.x;
    d = p.c * inverse * d + k.x * k.x.transpose();  // (D^-1 + I/c)^-1 = c (c I + D)^-1 D
    result.information += k.x.dot(d.llt().solve(k.x));
  }
  result.log_determinant = test::log_determinant(d / p.b);
  result.least = f - e.dot(d.llt().solve(e));
  return result;
}

double drift(const std::vector<test::Update>& updates) {
  double sum = 0;
  for (std::size_t k = 1; k < updates.size(); ++k) sum += (updates[k].u - updates[k - 1].u).squaredNorm();
  return sum;
}

SecondOrderComparator comparator(const std::vector<test::Update>& updates, const LasecParams& p, double gamma,
                                 const Definition& run) {
  SecondOrderComparator u{.gamma = gamma,
                          .loss = test::hinge_loss(updates, gamma),
                          .size = p.b * updates.front().u.squaredNorm() + p.c * drift(updates),
                          .information = run.information};
  for (const auto& k : updates) u.size += std::pow(k.u.dot(k.x), 2);
  return u;
}

// Targets of norm 1 that drift in different ways.
using Targets = std::vector<std::vector<double>>;

Targets switching(std::size_t rounds, std::size_t dimension, std::size_t every) {
  std::mt19937_64 random(3);
  Targets targets;
  for (std::size_t t = 0; t < rounds; ++t) {
    targets.push_back(t % every == 0 ? test::random_teacher(random, dimension) : targets.back());
  }
  return targets;
}

Targets rotating(std::size_t rounds, std::size_t dimension, double angle) {
  Targets targets;
  for (std::size_t t = 0; t < rounds; ++t) {
    std::vector<double> u(dimension);
    u[0] = std::cos(angle * static_cast<double>(t));
    u[1] = std::sin(angle * static_cast<double>(t));
    targets.push_back(u);
  }
  return targets;
}

Targets wandering(std::size_t rounds, std::size_t dimension, double step) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Targets targets{test::random_teacher(random, dimension)};
  while (targets.size() < rounds) {
    std::vector<double> u = targets.back();
    for (double& v : u) v += step * normal(random);
    const double norm = std::sqrt(FeatureView::sum_of_squares(u));
    for (double& v : u) v /= norm;
    targets.push_back(u);
  }
  return targets;
}

test::TargetedStream labelled(Targets targets, double noise, bool unit_norm) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform;
  test::TargetedStream stream{.targets = std::move(targets)};
  for (const auto& u : stream.targets) {
    test::SparseExample example = test::random_instance(random, u.size(), u.size(), unit_norm);
    const bool turned = uniform(random) < noise;
    example.y = (test::dot(u, example) > 0) != turned ? Label::positive : Label::negative;
    stream.examples.push_back(std::move(example));
  }
  return stream;
}

constexpr std::size_t rounds = 600;
constexpr std::size_t dimension = 6;

std::vector<test::TargetedStream> drifting_streams() {
  return {labelled(switching(rounds, dimension, 150), 0, true),
          labelled(rotating(rounds, dimension, 0.01), 0.05, true),
          labelled(wandering(rounds, dimension, 0.02), 0.1, false)};
}

const std::vector<LasecParams> all_params{{.b = 1, .c = 100}, {.b = 0.1, .c = 2}, {.b = 5, .c = 3000}};

TEST(Moroshko2014Theorem2, bounds_the_mistakes_of_lasec_on_every_run) {
  double tightest = infinity;
  for (const auto& stream : drifting_streams()) {
    // Three comparators: the target itself, the target of the first round, and an unrelated sequence.
    const Targets constant(rounds, stream.targets.front());
    const Targets foreign = wandering(rounds, dimension, 0.3);
    for (const Targets& targets : {stream.targets, constant, foreign}) {
      for (const LasecParams& p : all_params) {
        const auto run =
            test::run_exactly(test::config_of(p.text(), "always"), {}, {stream.examples, targets});
        const Definition lasec = definition(run.updates, p);
        for (const double gamma : {0.05, 0.3, 1.0}) {
          const SecondOrderComparator u = comparator(run.updates, p, gamma, lasec);
          ASSERT_LE(run.mistakes, second_order_bound(u)) << p.text() << ", gamma " << gamma;
          tightest = std::min(tightest, second_order_bound(u) / run.mistakes);
        }
      }
    }
  }
  RecordProperty("least_bound_over_mistakes", fmt::format("{:.2f}", tightest));
}

// (8), on which both theorems rely, for the best of all sequences.
TEST(Moroshko2014Theorem2Proof, bounds_the_square_loss_of_every_run) {
  double tightest = infinity;
  for (const auto& stream : drifting_streams()) {
    for (const LasecParams& p : all_params) {
      for (const char* policy : {"mistake", "asked"}) {
        SamplerConfig config = test::config_of(p.text(), "always");
        config.update = parse_policy(policy);
        const auto run = test::run_exactly(config, {}, stream);
        const Definition lasec = definition(run.updates, p);
        double loss = 0;
        for (const auto& k : run.updates) loss += std::pow(k.margin - k.y, 2);
        ASSERT_LE(loss, lasec.least + lasec.information) << p.text();
        tightest = std::min(tightest, (lasec.least + lasec.information) / loss);
      }
    }
  }
  RecordProperty("least_bound_over_loss", fmt::format("{:.3f}", tightest));
}

TEST(Moroshko2014Theorem4, bounds_the_mistakes_of_lasec_ss) {
  constexpr double gamma = 0.2;
  constexpr std::uint64_t seeds = 30;
  for (const auto& stream : drifting_streams()) {
    for (const LasecParams& p : all_params) {
      for (const double a : {0.1, 1.0}) {
        const SamplerConfig config = test::config_of(p.text(), fmt::format("margin:b={}", a));
        std::vector<double> excess;  // mistakes minus bound; by the theorem its mean is at most 0
        std::vector<double> surprise;
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
          const auto run = test::run_exactly(config, {.key = {.seed = seed}}, stream);
          const SecondOrderComparator u = comparator(run.updates, p, gamma, definition(run.updates, p));
          const double bound = selective_second_order_bound(u, a);
          // (9), before expectations are taken, holds on every run.
          double weighted = 0;
          for (const auto& k : run.updates) weighted += (a + std::abs(k.margin)) / a;
          ASSERT_LE(weighted, bound) << p.text() << ", a " << a << ", seed " << seed;
          excess.push_back(run.mistakes - bound);
          surprise.push_back(run.asked - run.expected_asked);
        }
        const test::Measured over = test::measured(excess);
        EXPECT_LE(over.mean - 4 * over.standard_error, 0) << p.text() << ", a " << a;
        const test::Measured unexpected = test::measured(surprise);
        EXPECT_LE(std::abs(unexpected.mean), 4 * unexpected.standard_error) << p.text() << ", a " << a;
      }
    }
  }
}

// The corollaries are not trivial on long streams in few dimensions. A jump between targets of norm 1 adds at
// most 4 to the drift, so that V is known before the run.
class Moroshko2014Tuned : public testing::TestWithParam<double> {
 protected:
  static constexpr std::size_t rounds = 10'000;
  static constexpr std::size_t dimension = 2;
  static constexpr double gamma = 0.5;

  test::TargetedStream stream_ = labelled(switching(rounds, dimension, rounds / 2), GetParam(), true);
  TunedLasec tuned_{.rounds = rounds, .drift = 4, .longest = 1, .dimension = dimension, .epsilon = 0.02};
  LasecParams params_{.b = tuned_.b(), .c = tuned_.c()};

  /// The corollaries replace c V by its bound.
  SecondOrderComparator known_drift(const std::vector<test::Update>& updates, const Definition& run) const {
    SecondOrderComparator u = comparator(updates, params_, gamma, run);
    u.size += params_.c * (tuned_.drift - drift(updates));
    return u;
  }
};

TEST_P(Moroshko2014Tuned, Corollary8_bounds_the_mistakes_of_lasec_on_every_run) {
  ASSERT_TRUE(tuned_.applies());
  const auto run = test::run_exactly(test::config_of(params_.text(), "always"), {}, stream_);
  ASSERT_LE(drift(run.updates), tuned_.drift);
  const Definition lasec = definition(run.updates, params_);
  // (10), with the constants of the run and as the corollary simplifies it
  const auto m = static_cast<double>(run.updates.size());
  const LasecInformation information =
      lasec_information(params_.b, params_.c, 1, dimension, lasec.log_determinant);
  const LasecInformation simplified = tuned_.information(lasec.log_determinant);
  EXPECT_LE(lasec.information, information.fixed + m * information.per_update);
  EXPECT_LE(information.per_update, simplified.per_update);
  EXPECT_NEAR(information.fixed, simplified.fixed, 1e-9);
  // Theorem 2 <= (11) <= Corollary 8
  const SecondOrderComparator u = comparator(run.updates, params_, gamma, lasec);
  const double bound = lasec_bound(u, information);
  const double corollary = lasec_bound(known_drift(run.updates, lasec), simplified);
  EXPECT_LE(run.mistakes, bound);
  EXPECT_LE(bound, corollary);
  RecordProperty("mistakes", fmt::format("{:.0f}", run.mistakes));
  RecordProperty("theorem_2", fmt::format("{:.0f}", second_order_bound(u)));
  RecordProperty("bound_11", fmt::format("{:.0f}", bound));
  RecordProperty("corollary_8", fmt::format("{:.0f}", corollary));
}

TEST_P(Moroshko2014Tuned, Corollary9_bounds_the_mistakes_of_lasec_ss) {
  constexpr double a = 0.1;
  const SamplerConfig config = test::config_of(params_.text(), fmt::format("margin:b={}", a));
  std::vector<double> mistakes;
  std::vector<double> bounds;
  std::vector<double> excess;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto run = test::run_exactly(config, {.key = {.seed = seed}}, stream_);
    const Definition lasec = definition(run.updates, params_);
    const LasecInformation most = tuned_.information(lasec.log_determinant);
    SecondOrderComparator u = known_drift(run.updates, lasec);
    EXPECT_LE(u.information, most.fixed + rounds * most.per_update);
    u.information = most.fixed + rounds * most.per_update;
    mistakes.push_back(run.mistakes);
    bounds.push_back(selective_second_order_bound(u, a));
    excess.push_back(mistakes.back() - bounds.back());
  }
  const test::Measured over = test::measured(excess);
  EXPECT_LE(over.mean - 4 * over.standard_error, 0);
  RecordProperty("mean_mistakes", fmt::format("{:.1f}", test::measured(mistakes).mean));
  RecordProperty("bound", fmt::format("{:.0f}", test::measured(bounds).mean));
}

INSTANTIATE_TEST_SUITE_P(Noise, Moroshko2014Tuned, testing::Values(0.0, 0.1));

// Lemma 7: (11) solves m = D/gamma + sqrt(A (B + m C))/gamma for m.
TEST(Moroshko2014Lemma7, solves_theorem_2_with_10_for_the_mistakes) {
  const SecondOrderComparator u{.gamma = 0.3, .loss = 7, .size = 11};
  const LasecInformation most{.fixed = 5, .per_update = 0.25};
  SecondOrderComparator solved = u;
  solved.information = most.fixed + lasec_bound(u, most) * most.per_update;
  EXPECT_NEAR(second_order_bound(solved), lasec_bound(u, most), 1e-9);
}

}  // namespace
}  // namespace askfew
