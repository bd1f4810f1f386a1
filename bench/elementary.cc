// Compares the time of the elementary functions with fixed bits with the time of the C library's functions,
// which may use all instructions of the machine. Two measurements: independent calls, and calls whose
// argument depends on the result of the call before.

#include "askfew/math/elementary.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "bench/measure.h"

namespace askfew {
namespace {

constexpr int turns = 401;

std::vector<double> arguments_in(double low, double high) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<double> arguments(4096);
  for (double& x : arguments) x = uniform(random);
  return arguments;
}

struct Times {
  double independent = 0;
  double dependent = 0;
};

volatile double sink;

template <class F>
Times times_of(F f, const std::vector<double>& arguments) {
  Times times;
  times.independent = bench::seconds_of([&] {
    double sum = 0;
    for (const double x : arguments) sum += f(x);
    sink = sum;
  });
  times.dependent = bench::seconds_of([&] {
    double last = 0;
    for (const double x : arguments) last = f(x + last * 0x1p-300);
    sink = last;
  });
  return times;
}

template <class Ours, class Theirs>
void measure(const char* name, Ours ours, Theirs theirs, double low, double high) {
  const std::vector<double> arguments = arguments_in(low, high);
  std::vector<double> independent;
  std::vector<double> dependent;
  std::vector<double> nanoseconds;
  for (int turn = 0; turn < turns; ++turn) {
    const Times a = times_of(ours, arguments);
    const Times b = times_of(theirs, arguments);
    independent.push_back(a.independent / b.independent);
    dependent.push_back(a.dependent / b.dependent);
    nanoseconds.push_back(1e9 * a.independent / static_cast<double>(arguments.size()));
  }
  std::printf("%-22s %6.1f ns %12.2f %12.2f\n", name, bench::median(nanoseconds), bench::median(independent),
              bench::median(dependent));
}

void measure_all() {
  std::puts("ratio: time divided by the time of the C library's function on this machine");
  std::printf("%-22s %9s %12s %12s\n", "", "per call", "independent", "dependent");
  const auto measure_one = [](const char* name, double (*ours)(double), double (*theirs)(double), double low,
                              double high) { measure(name, ours, theirs, low, high); };
  measure_one("exp, -10 to 10", math::exp, std::exp, -10, 10);
  measure_one("expm1, -10 to 10", math::expm1, std::expm1, -10, 10);
  measure_one("log, 0 to 20", math::log, std::log, 0, 20);
  measure_one("log, 0.9 to 1.1", math::log, std::log, 0.9, 1.1);
  measure_one("log1p, 0 to 20", math::log1p, std::log1p, 0, 20);
  const auto measure_pow = [](const char* name, double y) {
    measure(
        name, [y](double x) { return math::pow(x, y); }, [y](double x) { return std::pow(x, y); }, 0, 20);
  };
  measure_pow("pow(x, 1.7), 0 to 20", 1.7);
  measure_pow("pow(x, -0.3), 0 to 20", -0.3);
}

}  // namespace
}  // namespace askfew

int main() {
  askfew::measure_all();
  return 0;
}
