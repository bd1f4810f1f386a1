#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace askfew::cli {

/// Something whose speed is measured.
struct Measure {
  std::string name;
  double bytes = 0;                  ///< that it goes through; 0: not counted
  double examples = 0;               ///< the same
  std::optional<std::size_t> limit;  ///< the measure that it cannot be much faster than
  std::function<void()> work;
  std::vector<double> seconds{};  ///< of each repetition
};

/// Medians over the repetitions.
struct Speed {
  std::string name;
  std::optional<double> bytes_a_second;
  std::optional<double> examples_a_second;
  std::optional<double> share_of_limit;  ///< of the quotients, each of one repetition
  std::string limit;                     ///< its name
};

/// Does each work once, one after the other: what slows the machine for a while slows all of them.
void repeat(std::vector<Measure>& measures);

std::vector<Speed> speeds_of(const std::vector<Measure>& measures);

}  // namespace askfew::cli
