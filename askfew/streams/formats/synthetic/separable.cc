#include "askfew/streams/formats/synthetic/separable.h"

#include "askfew/streams/formats/synthetic/directions.h"

namespace askfew {

Separable::Separable(const Params& params)
    : Generator(checked(info.name, params).n, params.d, params.d),
      params_(params),
      seed_(static_cast<std::uint64_t>(params.seed)),
      x_(dimension()) {
  Draws draws(seed_, CoinPurpose::teacher, 0);
  u_ = random_direction(draws, dimension());
}

void Separable::add(std::uint64_t round, Examples& block) {
  Draws draws(seed_, CoinPurpose::example, round);
  const double size = params_.margin + (1 - params_.margin) * (1 - draws.uniform());
  const bool positive = draws.uniform() < 0.5;
  const bool turned = draws.uniform() < params_.noise;
  fill_at_margin(u_, positive ? size : -size, draws, x_);
  block.begin(round);
  block.add_label(positive != turned ? 1 : -1);
  block.add_dense(x_);
  block.end_dense();
}

}  // namespace askfew
