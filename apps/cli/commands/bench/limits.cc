#include "apps/cli/commands/bench/limits.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "askfew/system/worker_pool.h"

namespace askfew::cli {
namespace {

constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10,
                                    1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
                                    1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30};

/// Calls work(k) for k = 0, 1, ... on so many threads, this one among them, and adds up what they return.
template <class Work>
std::uint64_t on_threads(unsigned threads, Work&& work) {
  std::atomic<std::uint64_t> sum = 0;
  WorkerPool(threads).run([&](unsigned k) { sum += work(k); });
  return sum;
}

inline bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

/// A number, digit by digit, and not rounded correctly.
inline double plain_number(const char*& at) {
  const bool minus = *at == '-';
  if (minus) ++at;
  std::uint64_t mantissa = 0;
  while (is_digit(*at)) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at++ - '0');
  std::ptrdiff_t scale = 0;
  if (*at == '.') {
    const char* point = at++;
    while (is_digit(*at)) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at++ - '0');
    scale = at - point - 1;
  }
  if (*at == 'e') {
    const bool down = at[1] == '-';
    std::ptrdiff_t exponent = 0;
    for (at += 2; is_digit(*at); ++at) exponent = 10 * exponent + (*at - '0');
    scale += down ? exponent : -exponent;
  }
  const auto m = static_cast<double>(mantissa);
  const double magnitude = scale >= 0 ? m / powers_of_ten[scale] : m * powers_of_ten[-scale];
  return minus ? -magnitude : magnitude;
}

std::size_t parse_pairs(const char* at, const char* end, std::uint32_t* indices, double* values) {
  std::size_t count = 0;
  while (at < end) {
    while (*at != ' ' && *at != '\n') ++at;  // the label
    while (*at != '\n') {
      ++at;
      std::uint32_t index = 0;
      while (*at != ':') index = 10 * index + static_cast<std::uint32_t>(*at++ - '0');
      ++at;
      indices[count] = index;
      values[count++] = plain_number(at);
    }
    ++at;
  }
  return count;
}

std::size_t parse_table(const char* at, const char* end, double* values) {
  std::size_t count = 0;
  while (at < end) {
    while (*at != ',' && *at != '\n') ++at;  // the label
    while (*at != '\n') {
      ++at;
      values[count++] = plain_number(at);
    }
    ++at;
  }
  return count;
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  return at == 0 || at >= text.size() ? std::min(at, text.size()) : text.rfind('\n', at - 1) + 1;
}

}  // namespace

std::uint64_t read_memory(const std::vector<std::uint64_t>& memory, unsigned threads) {
  return on_threads(threads, [&](unsigned k) {
    std::uint64_t sum = 0;
    for (std::size_t at = memory.size() * k / threads; at < memory.size() * (k + 1) / threads; ++at)
      sum += memory[at];
    return sum;
  });
}

std::uint64_t parse_loop(std::string_view text, bool is_table, unsigned threads) {
  constexpr std::size_t chunk = std::size_t{1} << 18;
  if (is_table) text.remove_prefix(text.find('\n') + 1);
  return on_threads(threads, [&](unsigned k) {
    const std::size_t most = chunk / (is_table ? 2 : 4);  // a field has at least two bytes, a pair four
    const auto indices = std::make_unique_for_overwrite<std::uint32_t[]>(is_table ? 0 : most);
    const auto values = std::make_unique_for_overwrite<double[]>(most);
    std::uint64_t numbers = 0;
    std::size_t at = line_begin(text, text.size() * k / threads);
    const std::size_t end = line_begin(text, text.size() * (k + 1) / threads);
    while (at < end) {
      const std::size_t past = line_begin(text, std::min(at + chunk, end));
      const char* const from = text.data() + at;
      numbers += is_table ? parse_table(from, text.data() + past, values.get())
                          : parse_pairs(from, text.data() + past, indices.get(), values.get());
      at = past;
    }
    return numbers;
  });
}

DotLoop::DotLoop(const BenchData& data) : data_(data), values_(data.millionths.size()) {
  for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = data.millionths[k] / 1e6;
}

std::uint64_t DotLoop::operator()() const {
  std::vector<double> w(BenchData::dimension);
  std::uint64_t mistakes = 0;
  for (std::size_t row = 0; row < data_.rows(); ++row) {
    double margin = 0;
    for (std::size_t k = data_.begin[row]; k < data_.begin[row + 1]; ++k)
      margin += w[data_.indices[k]] * values_[k];
    const int y = data_.labels[row];
    if ((margin > 0) == (y > 0)) continue;
    ++mistakes;
    for (std::size_t k = data_.begin[row]; k < data_.begin[row + 1]; ++k)
      w[data_.indices[k]] += y * values_[k];
  }
  return mistakes;
}

}  // namespace askfew::cli
