#pragma once

// Exports of a ledger as CSV or JSON lines: its labels and its decisions.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "askfew/ledger/ledger_place.h"
#include "askfew/models/label_plan.h"

// Threads: many threads may call these functions at the same time, also while the ledger is written.

namespace askfew {

enum class ExportFormat : std::uint8_t { csv, jsonl };

/// Receives the text of an export, piece by piece.
using WriteText = std::function<void(std::string_view)>;

/// All answers of a ledger that were learned, corrected, collected, volunteered, skipped or unsure, in their
/// order: id, the topic if there are topics, label (none for a collected answer), outcome, who said it, when,
/// a comment, and what the person said. THROWS: DataError, FileError, ModelError.
void export_labels(const LedgerPlace& ledger, const LabelPlan& labels, ExportFormat format,
                   const WriteText& write);
/// All decisions of a ledger, in their order: round, id, prediction, margin, probability, whether the label
/// was asked, and when. THROWS: as above.
void export_decisions(const LedgerPlace& ledger, const LabelPlan& labels, ExportFormat format,
                      const WriteText& write);

}  // namespace askfew
