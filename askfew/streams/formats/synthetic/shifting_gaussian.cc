#include "askfew/streams/formats/synthetic/shifting_gaussian.h"

#include "askfew/streams/formats/synthetic/draws.h"

namespace askfew {

ShiftingGaussian::ShiftingGaussian(const Params& params)
    : Generator(checked(info.name, params).n, params.d, params.d),
      switch_after_(static_cast<std::uint64_t>(params.switch_after)),
      seed_(static_cast<std::uint64_t>(params.seed)),
      u_(dimension()) {
  draw_teacher(at_hand_, u_);
}

void ShiftingGaussian::add(std::uint64_t round, Examples& block) {
  if (at_hand_ != teacher_number(round)) {
    at_hand_ = teacher_number(round);
    draw_teacher(at_hand_, u_);
  }
  Draws draws(seed_, CoinPurpose::example, round);
  double score = 0;
  block.begin(round);
  for (const double u : u_) {
    const double x = draws.normal();
    block.add_dense(x);
    score += u * x;
  }
  block.add_label(score > 0 ? 1 : -1);
  block.end_dense();
}

std::vector<double> ShiftingGaussian::teacher_of(std::uint64_t round, Examples::LabelId /*label*/) const {
  std::vector<double> u(dimension());
  draw_teacher(teacher_number(round), u);
  return u;
}

void ShiftingGaussian::draw_teacher(std::uint64_t number, std::span<double> u) const {
  Draws draws(seed_, CoinPurpose::teacher, number);
  for (double& v : u) v = draws.normal();
}

}  // namespace askfew
