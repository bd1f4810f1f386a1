#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "askfew/estimates/confusion_estimate.h"
#include "askfew/ledger/ledger_reader.h"
#include "askfew/sessions/session.h"

namespace askfew {

/// What another sampler would have spent and scored on the stream of a ledger.
///
/// It is shown the recorded instances in their order and tosses coins of the same seed. It gets a label when
/// the ledger's run got it, and only if both asked: of the others nobody knows the label. So it is the run
/// that would have been as long as every label that it asks for is known; the coverage tells. Its predictions
/// are judged by the labels that the ledger's run got, each weighted by the known probability with which it
/// was asked. Intervals hold for any predictions that depend on earlier labels alone, so for these too; what
/// the labels that it missed would have changed, they do not tell.
struct WhatIf {
  static constexpr std::size_t parts = 10;

  struct Part {
    std::uint64_t asked = 0;  ///< by the other sampler
    std::uint64_t known = 0;  ///< labels of them that the ledger holds

    /// Nothing if none was asked.
    [[nodiscard]] std::optional<double> coverage() const {
      if (asked == 0) return std::nullopt;
      return static_cast<double>(known) / static_cast<double>(asked);
    }
  };
  struct Run {
    std::uint64_t asked = 0;
    double expected_asked = 0;
    std::optional<Quality> quality;  ///< nothing if the labels say nothing of the rounds without one
  };

  std::uint64_t rounds = 0;
  std::uint64_t known = 0;        ///< labels that the ledger holds
  std::uint64_t unreachable = 0;  ///< rounds whose label had no chance to be asked
  double audit = 0;               ///< of the ledger's run; 0: none, and then no interval is valid
  bool are_classes = false;       ///< then only the error is estimated
  Run recorded;
  Run other;
  Part coverage;
  std::array<Part, parts> part_of_stream{};  ///< equal parts of the rounds, in order
};

/// Reads the ledger to its end. `recorded` is as the ledger began, `other` is fresh, and the same but for its
/// sampler. REQUIRES: the reader has passed the first record. THROWS: as `replay`; ConfigError if the other
/// sampler refuses an instance.
WhatIf what_if(LedgerReader& reader, const std::string& path, Session& recorded, Session& other);

}  // namespace askfew
