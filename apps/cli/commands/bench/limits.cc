#include "apps/cli/commands/bench/limits.h"

#include <algorithm>
#include <atomic>

#include "askfew/system/worker_pool.h"

namespace askfew::cli {
namespace {

constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

/// Calls work(k) for k = 0, 1, ... on so many threads, this one among them, and adds up what they return.
template <class Work>
std::uint64_t on_threads(unsigned threads, Work&& work) {
  std::atomic<std::uint64_t> sum = 0;
  WorkerPool(threads).run([&](unsigned k) { sum += work(k); });
  return sum;
}

std::size_t parse_chunk(const char* at, const char* end, std::uint32_t* indices, double* values) {
  std::size_t count = 0;
  while (at < end) {
    while (*at != ' ' && *at != '\n') ++at;  // the label
    while (*at != '\n') {
      ++at;
      std::uint32_t index = 0;
      while (*at != ':') index = 10 * index + static_cast<std::uint32_t>(*at++ - '0');
      ++at;
      std::uint64_t mantissa = 0;
      while (*at >= '0') mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at++ - '0');
      std::ptrdiff_t digits = 0;
      if (*at == '.') {
        const char* point = at++;
        while (*at >= '0') mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at++ - '0');
        digits = at - point - 1;
      }
      indices[count] = index;
      values[count++] = static_cast<double>(mantissa) / powers_of_ten[digits];
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

std::uint64_t parse_loop(std::string_view text, unsigned threads) {
  constexpr std::size_t chunk = std::size_t{1} << 18;
  return on_threads(threads, [&](unsigned k) {
    std::vector<std::uint32_t> indices(chunk / 4);  // a pair has at least four bytes
    std::vector<double> values(chunk / 4);
    std::uint64_t pairs = 0;
    std::size_t at = line_begin(text, text.size() * k / threads);
    const std::size_t end = line_begin(text, text.size() * (k + 1) / threads);
    while (at < end) {
      const std::size_t past = line_begin(text, std::min(at + chunk, end));
      pairs += parse_chunk(text.data() + at, text.data() + past, indices.data(), values.data());
      at = past;
    }
    return pairs;
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
