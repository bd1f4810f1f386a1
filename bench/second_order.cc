// Measures the time of the second-order samplers, as ratios in one run.
//
//   bench_second_order [IMAGES]     IMAGES: MNIST's train-images-idx3-ubyte, gzipped or not
//
// 1. Digits 1, 4, 7 against the rest, unit norms: `sel-2nd` and `lasec-ss` with b = 0.1, compared with the
// plain loop that computes Px and a rank-one update with Eigen every round. Without IMAGES, synthetic
// pictures.
// 2. Text, 47,000 features, 3,000 stored examples in the dual form: a round that bounds decide, compared with
// a Perceptron's round.

#include <Eigen/Dense>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "askfew/catalog/catalog.h"
#include "askfew/streams/open.h"

#include "bench/measure.h"
#include "bench/text_stream.h"

namespace askfew::bench {
namespace {

constexpr int repetitions = 5;
constexpr FeatureView::Index pixels = 784;
constexpr double b = 0.1;
constexpr std::uint64_t seed = 1;

Data read_digits(const std::string& path) {
  const auto stream = open_stream(path, {.features = {.normalize = true}});
  Data data;
  Examples block;
  for (auto more = stream->next(block); more && *more; more = stream->next(block)) {
    for (std::size_t row = 0; row < block.size(); ++row) {
      const auto digit = block.labels(row)[0];
      data.labels.push_back(digit == 1 || digit == 4 || digit == 7 ? Label::positive : Label::negative);
      data.examples.append(block, row);
    }
  }
  return data;
}

/// Each picture has three Gaussian spots of light; their places depend on one of ten classes.
Data make_blobs(std::size_t rows) {
  constexpr int side = 28;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  double centre[10][3][2];
  for (auto& picture : centre) {
    for (auto& bump : picture) {
      for (double& at : bump) at = 6 + 16 * uniform(random);
    }
  }
  Data data;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto digit = static_cast<std::size_t>(10 * uniform(random));
    double picture[side][side] = {};
    for (const auto& bump : centre[digit]) {
      const double x = bump[0] + 2 * normal(random);
      const double y = bump[1] + 2 * normal(random);
      for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) {
          const double light = 1.3 * std::exp(-((i - x) * (i - x) + (j - y) * (j - y)) / 8) - 0.3;
          picture[i][j] = std::max(picture[i][j], light);
        }
      }
    }
    data.examples.begin(0);
    for (const auto& line : picture) {
      for (const double light : line) data.examples.add_dense(light);
    }
    data.examples.end_dense();
    data.examples.normalize(row);
    data.labels.push_back(digit == 1 || digit == 4 || digit == 7 ? Label::positive : Label::negative);
  }
  return data;
}

struct Outcome {
  std::uint64_t asked = 0;
  std::uint64_t mistakes = 0;
  std::uint64_t updates = 0;
  std::uint64_t spreads = 0;
};

/// SEL-2ND as a programmer would write it with Eigen.
Outcome plain_loop(const Data& data) {
  const std::size_t rows = data.labels.size();
  Eigen::MatrixXd p = Eigen::MatrixXd::Identity(pixels, pixels);
  Eigen::VectorXd w = Eigen::VectorXd::Zero(pixels);
  Eigen::VectorXd q(pixels);
  Coin coin({.seed = seed});
  Outcome outcome;
  for (std::size_t row = 0; row < rows; ++row) {
    const Eigen::Map<const Eigen::VectorXd> x(data.examples.x(row).values(), pixels);
    const double y = sign(data.labels[row]);
    q.noalias() = p * x;
    const double r = x.dot(q);
    const double wx = w.dot(x);
    const double margin = wx / (1 + r);
    const bool mistake = (margin > 0) != (y > 0);
    outcome.mistakes += mistake;
    if (coin(row + 1) >= b / (b + std::abs(margin))) continue;
    ++outcome.asked;
    if (!mistake) continue;
    ++outcome.updates;
    w += q * ((y - wx) / (1 + r));
    p.noalias() -= (q / (1 + r)) * q.transpose();
  }
  return outcome;
}

Outcome sampler_loop(const std::string& preset, const Data& data) {
  const std::size_t rows = data.labels.size();
  const auto sampler = make_sampler(parse_preset(preset), {.key = {.seed = seed}, .dimension = pixels});
  Outcome outcome;
  for (std::size_t row = 0; row < rows; ++row) {
    const FeatureView x = data.examples.x(row);
    const Query query = sampler->ask(x);
    outcome.mistakes += query.prediction != data.labels[row];
    if (query.asked) sampler->tell(x, data.labels[row], query);
  }
  outcome.asked = sampler->tally().asked;
  outcome.updates = sampler->tally().updates;
  outcome.spreads = sampler->tally().spreads;
  return outcome;
}

void digits(const Data& data) {
  const std::size_t rows = data.labels.size();
  std::vector<double> plain;
  std::vector<double> second_order;
  std::vector<double> lasec;
  std::vector<double> speedup;
  std::vector<double> drift_cost;
  Outcome by_plain;
  Outcome by_sampler;
  Outcome by_lasec;
  for (int k = 0; k < repetitions; ++k) {
    plain.push_back(seconds_of([&] { by_plain = plain_loop(data); }) / static_cast<double>(rows));
    second_order.push_back(
        seconds_of([&] { by_sampler = sampler_loop(fmt::format("sel-2nd:b={}", b), data); }) /
        static_cast<double>(rows));
    lasec.push_back(seconds_of([&] { by_lasec = sampler_loop(fmt::format("lasec-ss:rule.b={}", b), data); }) /
                    static_cast<double>(rows));
    speedup.push_back(plain.back() / second_order.back());
    drift_cost.push_back(lasec.back() / second_order.back());
    if (by_sampler.asked != by_plain.asked || by_sampler.mistakes != by_plain.mistakes)
      fmt::print("WRONG ANSWER\n");
  }
  const auto line = [&](const char* name, const std::vector<double>& seconds, const Outcome& outcome) {
    fmt::print(
        "  {:<12} {:9.2f} us per round, {:6} asked, {:5} updates, {:6} mistakes, exact spread on {:.1f}% of "
        "rounds\n",
        name, 1e6 * median(seconds), outcome.asked, outcome.updates, outcome.mistakes,
        100 * static_cast<double>(outcome.spreads) / static_cast<double>(rows));
  };
  fmt::print("digits 1, 4, 7 against the rest, {} x {}, b = {}, medians of {}\n", rows, pixels, b,
             repetitions);
  line("plain loop", plain, by_plain);
  line("sel-2nd", second_order, by_sampler);
  line("lasec-ss", lasec, by_lasec);
  fmt::print("  sel-2nd is {:.1f} times as fast as the plain loop; lasec-ss costs {:.2f} times sel-2nd\n",
             median(speedup), median(drift_cost));
}

/// A sampler that has learned from `stored` examples, independently of what its rule asks.
std::unique_ptr<AnySampler> trained(const std::string& learner, UpdatePolicy policy, const Data& data,
                                    std::size_t stored) {
  // With such a small b, bounds decide every later round, and no label is asked.
  SamplerConfig config{.learner = parse_learner(learner), .rule = parse_rule("margin:b=1e-12")};
  config.update = policy;
  auto sampler = make_sampler(config, {});
  for (std::size_t row = 0; row < stored; ++row) {
    const FeatureView x = data.examples.x(row);
    Query query = sampler->ask(x);
    query.asked = true;
    sampler->tell(x, data.labels[row], query);
  }
  return sampler;
}

double round_seconds(AnySampler& sampler, const Data& data) {
  const std::size_t rows = data.labels.size();
  std::uint64_t positive = 0;
  const double seconds = seconds_of([&] {
    for (std::size_t row = 0; row < rows; ++row) {
      positive += sampler.ask(data.examples.x(row)).prediction == Label::positive;
    }
  });
  if (positive == 0 || positive == rows) fmt::print("WRONG ANSWER: the sampler has learned nothing\n");
  return seconds / static_cast<double>(rows);
}

void text() {
  constexpr std::size_t stored = 3'000;
  const Data data = text_stream(20'000);
  const auto perceptron = trained("perceptron", UpdatePolicy::mistake, data, stored);
  const auto dual = trained("second-order:form=dual", UpdatePolicy::asked, data, stored);
  std::vector<double> first;
  std::vector<double> second;
  std::vector<double> ratio;
  for (int k = 0; k < 21; ++k) {
    first.push_back(round_seconds(*perceptron, data));
    second.push_back(round_seconds(*dual, data));
    ratio.push_back(second.back() / first.back());
  }
  fmt::print("text, {} features, {} stored examples, dual form, rounds decided by bounds, medians of {}\n",
             text_dimension, stored, ratio.size());
  fmt::print(
      "  perceptron {:.1f} ns per round, second-order {:.1f} ns: ratio {:.2f}; exact spread on {} of {} "
      "rounds\n",
      1e9 * median(first), 1e9 * median(second), median(ratio), dual->tally().spreads, dual->tally().round);
}

}  // namespace
}  // namespace askfew::bench

int main(int argc, char** argv) {
  using namespace askfew::bench;
  digits(argc > 1 ? read_digits(argv[1]) : make_blobs(60'000));
  text();
  return 0;
}
