#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "askfew/estimates/confusion_estimate.h"
#include "askfew/ledger/ledger_reader.h"
#include "askfew/sessions/session.h"

namespace askfew {

/// The labels and the quality that another sampler would have had on the stream of a ledger, for one task.
///
/// The other sampler sees the recorded instances in order and uses coins of the same seed. It gets a label
/// when the recorded run got it, and only if both samplers asked: other labels are unknown. So the result is
/// exact as long as every label that the other sampler asks is known; the coverage tells how many are. Its
/// predictions are compared with the labels of the recorded run, each weighted by the known probability with
/// which it was asked. The intervals hold for any predictions that depend on earlier labels only, so they
/// hold here. They do not tell what the missing labels would have changed.
struct WhatIf {
  static constexpr std::size_t parts = 10;

  struct Part {
    std::uint64_t asked = 0;  ///< labels that the other sampler asked
    std::uint64_t known = 0;  ///< asked labels that the ledger contains

    /// Nothing if no label was asked.
    [[nodiscard]] std::optional<double> coverage() const {
      if (asked == 0) return std::nullopt;
      return static_cast<double>(known) / static_cast<double>(asked);
    }
  };
  struct Run {
    std::uint64_t asked = 0;
    double expected_asked = 0;
    std::optional<Quality> quality;  ///< nothing if the labels give no information about the other rounds
  };

  std::uint64_t rounds = 0;
  std::uint64_t known = 0;        ///< labels that the ledger contains
  std::uint64_t unreachable = 0;  ///< rounds whose label could not be asked
  double audit = 0;               ///< audit of the recorded run; 0: no audit, and then no interval is valid
  bool are_classes = false;       ///< true: only the error is estimated
  bool stopped = false;           ///< the replay ended early: the figures are of the first rounds only
  Run recorded;
  Run other;
  Part coverage;
  std::array<Part, parts> part_of_stream{};  ///< equal parts of the rounds, in order
};

/// Reads the ledger to its end, and compares each task. `recorded` is in the state at the start of the
/// ledger; `other` is new and differs only in its sampler. `stop` as in `replay`. REQUIRES: the reader is
/// after the first record. THROWS: as `replay`; ConfigError if the other sampler refuses an instance.
std::vector<WhatIf> what_if(LedgerReader& reader, const std::string& path, Session& recorded, Session& other,
                            const std::atomic<bool>* stop = nullptr);

}  // namespace askfew
