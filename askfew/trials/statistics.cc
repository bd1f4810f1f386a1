#include "askfew/trials/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "askfew/math/elementary.h"

namespace askfew {
namespace {

/// Student's t at 97.5%, for 1, 2, ... degrees of freedom.
constexpr std::array quantiles{12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
                               2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
                               2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
                               2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423};

double quantile(std::size_t freedom) {
  if (freedom <= quantiles.size()) return quantiles[freedom - 1];
  // The first terms of Cornish and Fisher, right to four digits from here on.
  constexpr double z = 1.959964;
  const auto n = static_cast<double>(freedom);
  return z + (z * z * z + z) / (4 * n) + (5 * math::pow(z, 5) + 16 * math::pow(z, 3) + 3 * z) / (96 * n * n);
}

/// 0 for the smallest; equal values share the mean of their ranks.
std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<double> ranks;
  for (const double value : values) {
    const auto smaller = std::count_if(values.begin(), values.end(), [&](double v) { return v < value; });
    const auto equal = std::count(values.begin(), values.end(), value);
    ranks.push_back(static_cast<double>(smaller) + static_cast<double>(equal - 1) / 2);
  }
  return ranks;
}

}  // namespace

Sample sample_of(std::span<const double> values) {
  Sample sample;
  if (values.empty()) return sample;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) sample.mean += value / n;
  if (values.size() == 1) return sample;
  double squares = 0;
  for (const double value : values) squares += (value - sample.mean) * (value - sample.mean);
  sample.deviation = std::sqrt(squares / (n - 1));
  sample.standard_error = sample.deviation / std::sqrt(n);
  sample.half_width = quantile(values.size() - 1) * sample.standard_error;
  return sample;
}

double rank_correlation(std::span<const double> x, std::span<const double> y) {
  const std::vector<double> a = ranks_of(x);
  const std::vector<double> b = ranks_of(y);
  const double middle = (static_cast<double>(x.size()) - 1) / 2;
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    ab += (a[k] - middle) * (b[k] - middle);
    aa += (a[k] - middle) * (a[k] - middle);
    bb += (b[k] - middle) * (b[k] - middle);
  }
  return aa == 0 || bb == 0 ? 0 : ab / std::sqrt(aa * bb);
}

}  // namespace askfew
