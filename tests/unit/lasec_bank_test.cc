// The promises of a bank of LASECs, compared with its members run separately.

#include "askfew/learners/lasec_bank.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "askfew/catalog/catalog.h"
#include "askfew/learners/lasec.h"

#include "tests/streams.h"

namespace askfew {
namespace {

constexpr std::size_t dimension = 8;

/// A stream whose teacher changes after `every` rounds.
test::Stream shifting_stream(std::size_t shifts, std::size_t every) {
  std::mt19937_64 random(5);
  test::Stream all;
  for (std::uint64_t k = 0; k < shifts; ++k) {
    const test::Stream part =
        test::teacher_stream(k, every, test::random_teacher(random, dimension), dimension / 2, 0, 0.05);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

double loss(Label y, double margin) {
  return std::pow(sign(y) - std::clamp(margin, -1.0, 1.0), 2) / 4;
}

/// The losses of LASEC, which learns from its mistakes.
std::vector<double> losses_of(double c, const test::Stream& stream) {
  Lasec lasec({.c = c}, {.dimension = dimension});
  std::vector<double> losses;
  for (const auto& example : stream) {
    const FeatureView x = example.x();
    const double estimate = lasec.undivided_margin(x);
    losses.push_back(loss(example.y, estimate));
    if (sgn(estimate) != example.y) lasec.update(x, example.y, lasec.margin(x));
  }
  return losses;
}

double sum_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(LasecBank, has_hardly_more_loss_than_the_best_members_in_hindsight) {
  const test::Stream stream = shifting_stream(4, 100);
  const std::vector<double> rates{2, 20, 200};
  std::vector<std::vector<double>> members;
  for (const double c : rates) members.push_back(losses_of(c, stream));
  for (const double share : {0.0, 0.01, 0.2}) {
    LasecBank bank({.c_min = 2, .c_max = 200, .K = 3, .share = share}, {.dimension = dimension});
    double own = 0;
    for (const auto& example : stream) {
      const double margin = bank.margin(example.x());
      own += loss(example.y, margin);
      bank.update(example.x(), example.y, margin);
      EXPECT_NEAR(sum_of(bank.shares()), 1, 1e-12);
    }
    const auto n = static_cast<double>(stream.size());
    const auto best = [&](std::size_t begin, std::size_t count) {
      double least = n;
      for (const auto& losses : members)
        least = std::min(least, sum_of(std::span(losses).subspan(begin, count)));
      return least;
    };
    const auto price = [&](double s) {
      const double switches = s > 0 ? s * std::log(1 / share) : 0;
      return 2 * ((s + 1) * std::log(3) + switches - (n - s - 1) * std::log1p(-share));
    };
    EXPECT_LE(own, best(0, stream.size()) + price(0)) << share;
    double best_of_stretches = 0;
    for (std::size_t k = 0; k < 4; ++k) best_of_stretches += best(k * 100, 100);
    EXPECT_LE(own, best_of_stretches + price(3)) << share;
  }
}

TEST(LasecBank, a_bank_of_one_member_predicts_as_lasec_does) {
  const test::Stream stream = shifting_stream(3, 100);
  Lasec lasec({.c = 30}, {.dimension = dimension});
  LasecBank bank({.c_min = 30, .c_max = 30, .K = 1}, {.dimension = dimension});
  for (const auto& example : stream) {
    const double margin = lasec.margin(example.x());
    EXPECT_EQ(sgn(bank.margin(example.x())), sgn(margin));
    EXPECT_NEAR(bank.spread(example.x()), lasec.spread(example.x()), 1e-12);
    bank.update(example.x(), example.y, bank.margin(example.x()));
    if (sgn(margin) != example.y) lasec.update(example.x(), example.y, margin);
  }
}

TEST(LasecBank, losses_on_asked_labels_bound_the_mistakes_on_all_rounds) {
  const test::Stream stream = shifting_stream(3, 100);
  for (const double a : {0.02, 0.3, 2.0}) {
    double mistakes = 0;
    double asked_losses = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto sampler = make_sampler({.learner = parse_learner("lasec-bank:K=3"),
                                         .rule = {.name = "margin", .params = {{"b", a}}},
                                         .update = UpdatePolicy::asked},
                                        {.key = {.seed = seed}, .dimension = dimension});
      for (const auto& example : stream) {
        const Query query = sampler->ask(example.x());
        mistakes += query.prediction != example.y ? 1 : 0;
        if (!query.asked) continue;
        asked_losses += loss(example.y, query.score.margin);
        sampler->tell(example.x(), example.y, query);
      }
    }
    EXPECT_LE(mistakes, std::max(1 / a, 2.0) * 2 * asked_losses) << a;
    EXPECT_GT(mistakes, 0) << a;
  }
}

TEST(LasecBank, without_share_weights_depend_on_the_losses_alone) {
  const test::Stream stream = shifting_stream(2, 50);
  LasecBank bank({.c_min = 2, .c_max = 200, .K = 2, .share = 0}, {.dimension = dimension});
  for (const auto& example : stream) bank.update(example.x(), example.y, bank.margin(example.x()));
  const double behind = sum_of(losses_of(2, stream)) - sum_of(losses_of(200, stream));
  EXPECT_GT(std::abs(behind), 0.1);
  EXPECT_NEAR(std::log(bank.shares()[1] / bank.shares()[0]), behind / 2, 1e-9);
}

TEST(LasecBank, a_c_min_above_c_max_is_refused) {
  const auto complaint = [](const char* learner) -> std::string {
    try {
      make_sampler({.learner = parse_learner(learner), .rule = parse_rule("always")}, {});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("lasec-bank:b=3,c_min=3"), "lasec-bank: b must be below c_min");
  EXPECT_EQ(complaint("lasec-bank:c_min=10,c_max=9"), "lasec-bank: c_min must not be above c_max");
  EXPECT_EQ(complaint("lasec-bank:c_min=10,c_max=10"), "");
}

}  // namespace
}  // namespace askfew
