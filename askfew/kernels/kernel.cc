#include "askfew/kernels/kernel.h"

#include <cmath>

#include "askfew/kernels/rbf.h"

namespace askfew {
namespace {

/// By squaring: a fixed order of products, unlike the C library's pow.
double power(double base, std::uint64_t degree) {
  double result = 1;
  for (;;) {
    if ((degree & 1) != 0) result *= base;
    degree >>= 1;
    if (degree == 0) return result;
    base *= base;
  }
}

}  // namespace

double Kernel::self(double xx) const {
  switch (kind_) {
    case KernelKind::linear:
      return xx;
    case KernelKind::polynomial:
      return power(xx + offset_, degree_);
    case KernelKind::rbf:
      break;
  }
  return std::isfinite(xx) ? 1 : xx;
}

template <class T>
void Kernel::evaluate(std::span<const T> products, double xx, std::span<const double> zz,
                      std::span<double> values) const {
  switch (kind_) {
    case KernelKind::linear:  // + 0 removes -0, which comes only from underflow, and not in every storage
      for (std::size_t s = 0; s < values.size(); ++s) values[s] = static_cast<double>(products[s]) + 0.0;
      return;
    case KernelKind::polynomial:
      for (std::size_t s = 0; s < values.size(); ++s) {
        values[s] = power(static_cast<double>(products[s]) + offset_, degree_);
      }
      return;
    case KernelKind::rbf:
      rbf(products.data(), xx, zz.data(), gamma_, values.data(), values.size());
  }
}

template void Kernel::evaluate<float>(std::span<const float>, double, std::span<const double>,
                                      std::span<double>) const;
template void Kernel::evaluate<double>(std::span<const double>, double, std::span<const double>,
                                       std::span<double>) const;

}  // namespace askfew
