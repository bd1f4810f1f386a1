#pragma once

// Kernels and their parameters.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "askfew/config/params.h"

namespace askfew {

enum class KernelKind : std::uint8_t { linear, polynomial, rbf };
enum class Precision : std::uint8_t { double_precision, single_precision };

/// The kernel parameters of every kernel learner; the base of its `Params`.
struct KernelParams {
  double kernel = static_cast<double>(KernelKind::rbf);
  double gamma = 1;
  double degree = 3;
  double offset = 1;
  double precision = static_cast<double>(Precision::double_precision);
};

inline constexpr std::array<std::string_view, 3> kernel_names{"linear", "polynomial", "rbf"};
inline constexpr std::array<std::string_view, 2> precision_names{"double", "single"};

/// The parameter table of a learner with the parameters of `own` and of its kernel.
template <class P, std::size_t n>
constexpr std::array<Param<P>, n + 5> with_kernel(const std::array<Param<P>, n>& own) {
  std::array<Param<P>, n + 5> table{};
  std::copy(own.begin(), own.end(), table.begin());
  table[n] = {"kernel", &P::kernel, one_of(kernel_names),
              "x.z, (x.z + offset)^degree or exp(-gamma |x-z|^2)"};
  table[n + 1] = {"gamma", &P::gamma, positive(), "rbf: a larger value makes the kernel narrower"};
  table[n + 2] = {"degree", &P::degree, count_from(1), "polynomial: the degree"};
  table[n + 3] = {"offset", &P::offset, at_least(0), "polynomial: weight of the lower degrees"};
  table[n + 4] = {"precision", &P::precision, one_of(precision_names),
                  "precision of stored examples and products"};
  return table;
}

/// Parameters of a kernel learner that has only kernel parameters.
struct OnlyKernelParams : KernelParams {
  static constexpr auto table() { return with_kernel(std::array<Param<OnlyKernelParams>, 0>{}); }
};

/// Parameters of a kernel learner that keeps at most B examples.
struct BudgetParams : KernelParams {
  double B = 500;
  static constexpr auto table() {
    return with_kernel(
        std::array{Param<BudgetParams>{"B", &BudgetParams::B, Range{.low = 1, .high = 1e9, .integral = true},
                                       "largest number of stored examples"}});
  }
};

/// K(x, z), computed from x.z and the squared norms:
///
///   linear x.z,   polynomial (x.z + offset)^degree,   rbf exp(-gamma (xx + zz - 2 x.z))
///
/// The bits are the same on every machine. An argument that is not finite gives a value that is not finite.
class Kernel {
 public:
  explicit Kernel(const KernelParams& params)
      : kind_(static_cast<KernelKind>(params.kernel)),
        gamma_(params.gamma),
        offset_(params.offset),
        degree_(static_cast<std::uint64_t>(params.degree)) {}

  [[nodiscard]] bool needs_norms() const { return kind_ == KernelKind::rbf; }
  [[nodiscard]] double self(double xx) const;
  /// values[s] = K(x, z_s). REQUIRES: spans of the same size, a multiple of wide_rows.
  template <class T>
  void evaluate(std::span<const T> products, double xx, std::span<const double> zz,
                std::span<double> values) const;

 private:
  KernelKind kind_;
  double gamma_;
  double offset_;
  std::uint64_t degree_;
};

}  // namespace askfew
