#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "askfew/models/model.h"
#include "askfew/sessions/label_queue.h"
#include "askfew/sessions/outcome.h"

namespace askfew {

// What the records of a session's ledger hold.

/// How labels are waited for, as JSON: in the first record, and where settings are compared.
nlohmann::json json_of(const LabelQueue::Options& options);

/// Of the first: how labels are waited for, and the model before the first line, as a model file.
std::string start_payload(const Model& model, const LabelQueue::Options& options);
struct SessionStart {
  Model model;
  LabelQueue::Options options;
};
/// THROWS: ModelError, MemoryError.
SessionStart session_start_of(std::string_view payload, const Usage& usage);

/// Of a line: when it came, in microseconds since 1970, and the line without its end.
void append_line_payload(std::int64_t time, std::string_view line, std::string& out);
struct RecordedLine {
  std::int64_t time = 0;
  std::string_view line;
};
/// Nothing if the payload is too short for one.
std::optional<RecordedLine> recorded_line_of(std::string_view payload);

/// Of an outcome: equal outcomes have equal bytes, and others have others, but for the words of a refusal.
void append_outcome(const Outcome& outcome, std::string& out);
/// Nothing if it is of a kind that this version does not know.
std::optional<Outcome> outcome_of(std::string_view payload);
/// How the numbers of two outcomes are compared.
enum class Compared : std::uint8_t {
  to_the_bit,
  up_to_rounding  ///< versions that wrote format 1 had exp and log of the machine
};
/// Does an outcome say the same as what was recorded? Refusals are compared by their code, never by their
/// words: those may change from version to version.
bool is_same(const Outcome& outcome, const Outcome& recorded, Compared compared);

}  // namespace askfew
