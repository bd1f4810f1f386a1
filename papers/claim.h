#pragma once

#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <string>
#include <vector>

#include "askfew/reports/page.h"
#include "askfew/trials/statistics.h"

namespace askfew {

/// A claim with a verdict for each data set.
class Claim {
 public:
  explicit Claim(std::string claim) : claim_(std::move(claim)) {}

  void add(const std::string& set, bool holds, const std::string& found, bool tie = false) {
    verdicts_.push_back(
        {.holds = holds, .claim = fmt::format("{}: {}", set, claim_), .found = found + ".", .tie = tie});
  }
  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; }

 private:
  std::string claim_;
  std::vector<Verdict> verdicts_;
};

/// The verdicts of several claims, one claim after another.
inline std::vector<Verdict> verdicts_of(std::initializer_list<Claim> claims) {
  std::vector<Verdict> all;
  for (const Claim& claim : claims) all.insert(all.end(), claim.verdicts().begin(), claim.verdicts().end());
  return all;
}

/// Two means differ clearly if they differ by more than this many standard errors of their difference.
inline constexpr double clear_difference = 2;

/// a - b in standard errors of the difference. Without a spread any difference is clear.
inline double standard_errors_between(const Sample& a, const Sample& b) {
  const double difference = a.mean - b.mean;
  const double error = std::sqrt(a.standard_error * a.standard_error + b.standard_error * b.standard_error);
  if (error > 0) return difference / error;
  return difference == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), difference);
}

/// Such a difference in words.
inline std::string standard_errors_text(double difference) {
  return std::isfinite(difference) ? fmt::format("{:+.1f} standard errors", difference)
                                   : "no standard error: one run each";
}

}  // namespace askfew
