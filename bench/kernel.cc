// Measures the kernel of a block of instances with all supports: RBF, 10,000 supports of 784 features.
// Instances come in blocks as from the run loop; rows are asked for one at a time. GFlop/s count 2 d for each
// pair of instance and support; the time includes packing, norms and exponentials.
//
// For comparison, the same run measures OpenBLAS on one thread, interleaved, with the bare matrix product of
// the same sizes; `ratio` is the median of the quotients. OpenBLAS does not recognize every processor: if the
// machine has AVX-512, the program restarts itself with OPENBLAS_CORETYPE=SkylakeX, unless the variable is
// set.

#include <algorithm>
#include <cblas.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <unistd.h>
#include <vector>

#include "askfew/kernels/support_set.h"
#include "askfew/system/instruction_sets.h"

namespace askfew {
namespace {

constexpr std::size_t dimension = 784;
constexpr std::size_t support_count = 10'000;
constexpr std::size_t block_size = 512;  // instances that the run loop reads at once
constexpr int repetitions = 9;

/// The processor time of this thread, so that other programs on the machine do not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

std::vector<double> random_rows(std::size_t rows) {
  std::mt19937_64 random(rows);
  std::normal_distribution<double> normal(0, 0.05);
  std::vector<double> numbers(rows * dimension);
  for (double& number : numbers) number = normal(random);
  return numbers;
}

std::vector<FeatureView> views_of(const std::vector<double>& rows) {
  std::vector<FeatureView> views;
  for (std::size_t at = 0; at < rows.size(); at += dimension) {
    views.push_back(FeatureView::unchecked_dense(std::span(rows).subspan(at, dimension)));
  }
  return views;
}

void multiply(int n, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, static_cast<int>(support_count),
              static_cast<int>(dimension), 1, a, static_cast<int>(dimension), b, static_cast<int>(dimension),
              0, c, static_cast<int>(support_count));
}
void multiply(int n, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, static_cast<int>(support_count),
              static_cast<int>(dimension), 1, a, static_cast<int>(dimension), b, static_cast<int>(dimension),
              0, c, static_cast<int>(support_count));
}

template <class T>
void compare(Precision precision) {
  const std::vector<double> supports = random_rows(support_count);
  const std::vector<double> instances = random_rows(block_size);
  const std::vector<FeatureView> upcoming = views_of(instances);
  SupportSet set({.precision = static_cast<double>(precision)}, {});
  for (const FeatureView& x : views_of(supports)) set.add(x);
  const std::vector<T> a(instances.begin(), instances.end());
  const std::vector<T> b(supports.begin(), supports.end());
  std::vector<T> c(block_size * support_count);

  constexpr double gigaflop = 2e-9 * block_size * support_count * dimension;
  std::vector<double> ours;
  std::vector<double> blas;
  std::vector<double> ratios;
  double sum = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    double begin = cpu_seconds();
    set.read_ahead(upcoming);
    for (const FeatureView& x : upcoming) sum += set.row(x)[0];
    ours.push_back(gigaflop / (cpu_seconds() - begin));
    begin = cpu_seconds();
    multiply(block_size, a.data(), b.data(), c.data());
    blas.push_back(gigaflop / (cpu_seconds() - begin));
    ratios.push_back(ours.back() / blas.back());
  }
  set.read_ahead({});
  std::printf("%s: kernel rows %6.1f GFlop/s, OpenBLAS %6.1f GFlop/s, ratio %.2f   (check %.6g)\n",
              precision == Precision::single_precision ? "single" : "double", median(ours), median(blas),
              median(ratios), sum / repetitions);
}

}  // namespace
}  // namespace askfew

int main(int /*argc*/, char** argv) {
  const bool is_wide = (askfew::processor_instruction_sets() & HWY_AVX3) != 0;
  if (is_wide && std::getenv("OPENBLAS_CORETYPE") == nullptr) {
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 1);
    execv("/proc/self/exe", argv);
  }
  openblas_set_num_threads(1);
  std::printf("%zu supports, %zu features, blocks of %zu instances, OpenBLAS for %s\n", askfew::support_count,
              askfew::dimension, askfew::block_size, openblas_get_corename());
  askfew::compare<float>(askfew::Precision::single_precision);
  askfew::compare<double>(askfew::Precision::double_precision);
  return 0;
}
