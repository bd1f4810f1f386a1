#pragma once

#include <fmt/core.h>

#include "askfew/reports/page.h"

namespace askfew {

/// A claim with the result on each data set. The claim holds if it holds on all data sets.
class Claim {
 public:
  explicit Claim(std::string claim) : verdict_{.holds = true, .claim = std::move(claim), .found = {}} {}

  void add(const std::string& set, bool holds, const std::string& found) {
    verdict_.holds = verdict_.holds && holds;
    verdict_.found +=
        fmt::format("{}{}: {}{}", verdict_.found.empty() ? "" : "; ", set, found, holds ? "" : " (no)");
  }
  [[nodiscard]] const Verdict& verdict() const { return verdict_; }

 private:
  Verdict verdict_;
};

}  // namespace askfew
