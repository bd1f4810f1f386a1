#include "askfew/streams/formats/synthetic/linear_noise.h"

#include "askfew/math/elementary.h"
#include "askfew/streams/formats/synthetic/directions.h"

namespace askfew {

LinearNoise::LinearNoise(const Params& params)
    : Generator(checked(info.name, params).n, params.d, params.d),
      params_(params),
      seed_(static_cast<std::uint64_t>(params.seed)),
      x_(dimension()) {
  if (params.alpha == infinity && params.reach == 1) {
    throw ConfigError("linear-noise: alpha = inf needs a reach below 1, or all instances are u or -u");
  }
  Draws draws(seed_, CoinPurpose::teacher, 0);
  u_ = random_direction(draws, dimension());
}

void LinearNoise::add(std::uint64_t round, Examples& block) {
  Draws draws(seed_, CoinPurpose::example, round);
  const double size = params_.reach * math::pow(1 - draws.uniform(), 1 / params_.alpha);
  const double margin = draws.uniform() < 0.5 ? size : -size;
  const bool positive = draws.uniform() < (1 + margin) / 2;
  fill_at_margin(u_, margin, draws, x_);
  block.begin(round);
  block.add_label(positive ? 1 : -1);
  block.add_dense(x_);
  block.end_dense();
}

}  // namespace askfew
