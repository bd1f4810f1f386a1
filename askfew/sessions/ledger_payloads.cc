#include "askfew/sessions/ledger_payloads.h"

#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "askfew/models/model_file.h"

namespace askfew {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class T>
void append(T value, std::string& out) {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

enum class Kind : std::uint8_t { decision = 1, receipt = 2, refusal = 3 };
constexpr LabelNumber no_label = std::numeric_limits<LabelNumber>::max();

}  // namespace

nlohmann::json json_of(const LabelQueue::Options& options) {
  return {{"keep", options.keep},
          {"expire_rounds", options.max_rounds},
          {"expire_microseconds", options.max_age}};
}

std::string start_payload(const Model& model, const LabelQueue::Options& options) {
  const std::string settings = json_of(options).dump();
  std::string payload;
  append(static_cast<std::uint32_t>(settings.size()), payload);
  payload += settings;
  payload += encode_model(snapshot_of(model));
  return payload;
}

SessionStart session_start_of(std::string_view payload, const Usage& usage) {
  std::uint32_t size = 0;
  if (payload.size() < sizeof size) throw ModelError("the ledger's first record is too short");
  std::memcpy(&size, payload.data(), sizeof size);
  payload.remove_prefix(sizeof size);
  if (payload.size() < size) throw ModelError("the ledger's first record is too short");
  try {
    const auto json = nlohmann::json::parse(payload.substr(0, size));
    const LabelQueue::Options options{
        .keep = json_count(json.at("keep")),
        .max_rounds = json_count(json.at("expire_rounds")),
        .max_age = static_cast<std::int64_t>(json_count(json.at("expire_microseconds"), max_rounds))};
    return {model_of(decode_model(payload.substr(size)), usage), options};
  } catch (const nlohmann::json::exception& error) {
    throw ModelError(std::string("the ledger's settings are damaged: ") + error.what());
  }
}

void append_line_payload(std::int64_t time, std::string_view line, std::string& out) {
  append(time, out);
  out += line;
}

std::optional<RecordedLine> recorded_line_of(std::string_view payload) {
  RecordedLine recorded;
  if (payload.size() < sizeof recorded.time) return std::nullopt;
  std::memcpy(&recorded.time, payload.data(), sizeof recorded.time);
  recorded.line = payload.substr(sizeof recorded.time);
  return recorded;
}

void append_outcome(const Outcome& outcome, std::string& out) {
  if (const auto* decision = std::get_if<Decision>(&outcome)) {
    append(Kind::decision, out);
    append(static_cast<std::uint8_t>((decision->asked ? 1 : 0) | (decision->audited ? 2 : 0)), out);
    append(decision->prediction, out);
    append(decision->round, out);
    append(decision->margin, out);
    append(decision->probability, out);
    append(decision->coin, out);
    append(decision->audit, out);
    append(decision->version, out);
  } else if (const auto* receipt = std::get_if<LabelReceipt>(&outcome)) {
    append(Kind::receipt, out);
    append(static_cast<std::uint8_t>(receipt->updated ? 1 : 0), out);
    append(receipt->outcome, out);
    append(receipt->label.value_or(no_label), out);
    append(receipt->round, out);
    append(receipt->latency, out);
    append(receipt->version, out);
  } else {
    append(Kind::refusal, out);
    out += std::get<Refusal>(outcome).why;
  }
}

}  // namespace askfew
