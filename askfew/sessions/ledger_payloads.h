#pragma once

// The payloads of a session's ledger: start, lines and outcomes as bytes, and back.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "askfew/models/model.h"
#include "askfew/sessions/label_queue.h"
#include "askfew/sessions/outcome.h"

namespace askfew {

// The contents of the records in a session's ledger.

/// The options for waiting labels as JSON: for the first record, and to compare settings.
nlohmann::json json_of(const LabelQueue::Options& options);
/// THROWS: nlohmann::json::exception, ModelError.
LabelQueue::Options label_options_of(const nlohmann::json& json);

/// The first record: the options for waiting labels, and the model before the first line, as a model file.
std::string start_payload(const Model& model, const LabelQueue::Options& options);
struct SessionStart {
  Model model;
  LabelQueue::Options options;
};
/// THROWS: ModelError, MemoryError.
SessionStart session_start_of(std::string_view payload, const Usage& usage);

/// A line: its arrival time in microseconds since 1970, and the line without its line end.
void append_line_payload(std::int64_t time, std::string_view line, std::string& out);
struct RecordedLine {
  std::int64_t time = 0;
  std::string_view line;
};
/// Nothing if the payload is too short.
std::optional<RecordedLine> recorded_line_of(std::string_view payload);

/// An outcome: equal outcomes have equal bytes; different outcomes have different bytes, except that the
/// words of a refusal may differ.
void append_outcome(const Outcome& outcome, std::string& out);
/// Nothing if this version does not know the kind of outcome.
std::optional<Outcome> outcome_of(std::string_view payload);
/// How the numbers of two outcomes are compared.
enum class Compared : std::uint8_t {
  to_the_bit,
  up_to_rounding  ///< versions that wrote formats 1 and 2 computed some sums in another order
};
/// Is an outcome the same as the recorded outcome? Refusals are compared by code, not by words, because the
/// words may change between versions.
bool is_same(const Outcome& outcome, const Outcome& recorded, Compared compared);

}  // namespace askfew
