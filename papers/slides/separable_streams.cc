#include "papers/slides/separable_streams.h"

#include <cmath>
#include <fmt/core.h>
#include <numeric>

#include "askfew/core/examples.h"
#include "askfew/streams/formats/synthetic/directions.h"
#include "askfew/streams/formats/synthetic/synthetic.h"

#include "papers/slides/parts.h"

namespace askfew::slides {
namespace {

using Vector = std::vector<double>;

double product(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
void add_scaled(Vector& a, double scale, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += scale * b[i];
}
void set_norm_1(Vector& a) {
  const double norm = std::sqrt(product(a, a));
  for (double& v : a) v /= norm;
}

/// Chooses a y x of norm 1 with y u.x = 1 that the weights classify wrongly by as little as possible.
class Adversary {
 public:
  Adversary(Vector teacher, double norm, Draws draws)
      : teacher_(std::move(teacher)), norm_(norm), draws_(draws) {}

  /// Returns false if there is no such y x.
  bool choose(const Vector& weights, Vector& yx) {
    const double along = product(weights, teacher_);
    Vector against = weights;  // the component orthogonal to the teacher
    add_scaled(against, -along, teacher_);
    const double beside = std::sqrt(product(against, against));
    const double room =
        std::sqrt(1 - 1 / (norm_ * norm_));  // norm of the component of y x that is orthogonal to the teacher
    if (beside > 0 && beside * room <= along / norm_) return false;
    if (beside == 0) {
      against = random_beside({});
    } else {
      for (double& v : against) v /= -beside;
      // Turns the vector away from the weights just until the weights are wrong.
      const double share = std::min(1.0, std::max(0.0, along / (norm_ * room * beside)) * (1 + 1e-9) + 1e-7);
      const Vector other = random_beside(against);
      for (double& v : against) v *= share;
      add_scaled(against, std::sqrt(1 - share * share), other);
    }
    yx = teacher_;
    for (double& v : yx) v /= norm_;
    add_scaled(yx, room, against);
    return true;
  }

 private:
  /// A random direction that is orthogonal to the teacher and to `other`.
  Vector random_beside(const Vector& other) {
    Vector v = random_direction(draws_, teacher_.size());
    for (int twice = 0; twice < 2; ++twice) {
      add_scaled(v, -product(v, teacher_), teacher_);
      if (!other.empty()) add_scaled(v, -product(v, other), other);
    }
    set_norm_1(v);
    return v;
  }

  Vector teacher_;  // of norm 1
  double norm_;
  Draws draws_;
};

Played play_adversary(AnySampler& sampler, const SeparableStream& stream) {
  constexpr std::uint64_t max_mistakes = 1'000'000;
  Draws draws(stream.seed, CoinPurpose::teacher, 0);
  Adversary adversary(random_direction(draws, stream.dimension), stream.norm,
                      Draws(stream.seed, CoinPurpose::example, 0));
  Played played;
  Vector x;
  for (std::uint64_t round = 1;
       round <= max_mistakes && adversary.choose(weights_of(sampler, stream.dimension), x); ++round) {
    Label y = Label::positive;  // a margin of 0 predicts -1
    if (round % 2 == 0 && sampler.margin(FeatureView::dense(x)) < 0) {
      y = Label::negative;
      for (double& v : x) v = -v;
    }
    const FeatureView view = FeatureView::dense(x);
    const Query query = sampler.ask(view);
    if (query.prediction != y) ++played.mistakes;
    if (!sampler.tell(view, y, query)) continue;
    ++played.updates;
    played.squares += 1;
  }
  return played;
}

Played play_chance(AnySampler& sampler, const SeparableStream& stream, std::uint64_t rounds) {
  const auto generator = make_generator(fmt::format("synthetic:separable:d={},n={},margin={},seed={}",
                                                    stream.dimension, rounds, 1 / stream.norm, stream.seed));
  const Vector teacher = generator->teacher(1);
  Played played;
  Examples example;
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    example.clear();
    generator->add(round, example);
    const FeatureView x = example.x(0);
    const Label y = example.labels(0)[0] > 0 ? Label::positive : Label::negative;
    const Query query = sampler.ask(x);
    if (query.prediction != y) ++played.mistakes;
    if (!sampler.tell(x, y, query)) continue;
    ++played.updates;
    double ux = 0;
    x.for_each([&](FeatureView::Index i, double v) { ux += stream.norm * teacher[i] * v; });
    played.squares += ux * ux;
  }
  return played;
}

}  // namespace

Played play(const SamplerConfig& learner, const SeparableStream& stream, std::uint64_t rounds) {
  const auto sampler = make_sampler(
      learner,
      {.key = {.seed = stream.seed}, .dimension = static_cast<FeatureView::Index>(stream.dimension)});
  return stream.chooser == Chooser::chance ? play_chance(*sampler, stream, rounds)
                                           : play_adversary(*sampler, stream);
}

}  // namespace askfew::slides
