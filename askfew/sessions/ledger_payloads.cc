#include "askfew/sessions/ledger_payloads.h"

#include <algorithm>
#include <bit>
#include <cmath>
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

enum class Kind : std::uint8_t {
  decision = 1,
  receipt = 2,
  words_of_refusal = 3,  // format 1
  refusal = 4,
  repeat = 5,
  settings = 6
};
constexpr LabelNumber no_label = std::numeric_limits<LabelNumber>::max();

/// Reads numbers from the front of a payload, one after the other.
class Fields {
 public:
  explicit Fields(std::string_view payload) : left_(payload) {}

  template <class T>
  T next() {
    T value{};
    is_enough_ = is_enough_ && left_.size() >= sizeof value;
    if (!is_enough_) return value;
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
    return value;
  }
  [[nodiscard]] std::string_view left() const { return left_; }
  /// Did the payload have enough bytes?
  [[nodiscard]] bool is_enough() const { return is_enough_; }

 private:
  std::string_view left_;
  bool is_enough_ = true;
};

Decision decision_of(Fields& fields) {
  Decision decision;
  const auto flags = fields.next<std::uint8_t>();
  decision.asked = (flags & 1) != 0;
  decision.audited = (flags & 2) != 0;
  decision.prediction = fields.next<LabelNumber>();
  decision.round = fields.next<std::uint64_t>();
  decision.margin = fields.next<double>();
  decision.probability = fields.next<double>();
  decision.coin = fields.next<double>();
  decision.audit = fields.next<double>();
  decision.version = fields.next<std::uint64_t>();
  return decision;
}

bool is_same_number(double one, double two, Compared compared) {
  if (std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(two)) return true;
  constexpr double rounding = 1e-6;
  return compared == Compared::up_to_rounding &&
         std::abs(one - two) <= rounding * std::max({1.0, std::abs(one), std::abs(two)});
}

LabelReceipt receipt_of(Fields& fields) {
  LabelReceipt receipt;
  receipt.updated = fields.next<std::uint8_t>() != 0;
  receipt.outcome = fields.next<LabelOutcome>();
  if (const auto label = fields.next<LabelNumber>(); label != no_label) receipt.label = label;
  receipt.round = fields.next<std::uint64_t>();
  receipt.latency = fields.next<std::int64_t>();
  receipt.version = fields.next<std::uint64_t>();
  return receipt;
}

}  // namespace

nlohmann::json json_of(const LabelQueue::Options& options) {
  nlohmann::json settings{{"keep", options.keep},
                          {"expire_rounds", options.max_rounds},
                          {"expire_microseconds", options.max_age}};
  if (options.volunteered != Volunteered::refused) settings["volunteered"] = text_of(options.volunteered);
  if (options.overlap.share > 0) settings["overlap"] = text_of(options.overlap);
  if (options.tells_unsure) settings["unsure"] = true;
  return settings;
}

LabelQueue::Options label_options_of(const nlohmann::json& json) {
  const auto volunteered = parse_volunteered(json.value("volunteered", "refuse"));
  if (!volunteered) throw ModelError("volunteered labels in a way that only a newer version knows");
  return {.keep = json_count(json.at("keep")),
          .max_rounds = json_count(json.at("expire_rounds")),
          .max_age = static_cast<std::int64_t>(json_count(json.at("expire_microseconds"), max_rounds)),
          .volunteered = *volunteered,
          .overlap = parse_overlap(json.value("overlap", "")),
          .tells_unsure = json.value("unsure", false)};
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
    const LabelQueue::Options options = label_options_of(json);
    return {model_of(decode_model(payload.substr(size)), usage), options};
  } catch (const ConfigError& error) {
    throw ModelError(std::string("the ledger's settings are impossible: ") + error.what());
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
  } else if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
    append(Kind::refusal, out);
    append(refusal->code, out);
    out += refusal->why;
  } else if (const auto* repeat = std::get_if<Repeat>(&outcome)) {
    append(Kind::repeat, out);
    append(repeat->first.round, out);
  } else {
    const auto& changed = std::get<SettingsReceipt>(outcome);
    append(Kind::settings, out);
    append(changed.round, out);
    out += changed.settings;
  }
}

std::optional<Outcome> outcome_of(std::string_view payload) {
  Fields fields(payload);
  std::optional<Outcome> outcome;
  switch (fields.next<Kind>()) {
    case Kind::decision:
      outcome = decision_of(fields);
      break;
    case Kind::receipt:
      outcome = receipt_of(fields);
      break;
    case Kind::words_of_refusal:
      outcome = Refusal{RefusalCode::unnamed, std::string(fields.left())};
      break;
    case Kind::refusal: {
      const auto code = fields.next<RefusalCode>();
      outcome = Refusal{code, std::string(fields.left())};
      break;
    }
    case Kind::repeat:
      outcome = Repeat{{.round = fields.next<std::uint64_t>()}};
      break;
    case Kind::settings: {
      const auto round = fields.next<std::uint64_t>();
      outcome = SettingsReceipt{round, std::string(fields.left())};
      break;
    }
  }
  const bool ends_with_text = outcome && (std::holds_alternative<Refusal>(*outcome) ||
                                          std::holds_alternative<SettingsReceipt>(*outcome));
  return fields.is_enough() && (ends_with_text || fields.left().empty()) ? outcome : std::nullopt;
}

bool is_same(const Outcome& outcome, const Outcome& recorded, Compared compared) {
  if (outcome.index() != recorded.index()) return false;
  if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
    const RefusalCode code = std::get<Refusal>(recorded).code;
    return code == refusal->code || code == RefusalCode::unnamed;
  }
  if (const auto* decision = std::get_if<Decision>(&outcome)) {
    const auto& other = std::get<Decision>(recorded);
    const auto same = [&](double one, double two) { return is_same_number(one, two, compared); };
    return decision->round == other.round && decision->version == other.version &&
           decision->prediction == other.prediction && decision->asked == other.asked &&
           decision->audited == other.audited && same(decision->margin, other.margin) &&
           same(decision->probability, other.probability) && same(decision->coin, other.coin) &&
           same(decision->audit, other.audit);
  }
  if (const auto* receipt = std::get_if<LabelReceipt>(&outcome)) {
    const auto& other = std::get<LabelReceipt>(recorded);
    return receipt->outcome == other.outcome && receipt->round == other.round &&
           receipt->latency == other.latency && receipt->version == other.version &&
           receipt->label == other.label && receipt->updated == other.updated;
  }
  if (const auto* receipt = std::get_if<SettingsReceipt>(&outcome)) {
    const auto& other = std::get<SettingsReceipt>(recorded);
    return receipt->round == other.round && receipt->settings == other.settings;
  }
  return std::get<Repeat>(outcome).first.round == std::get<Repeat>(recorded).first.round;
}

}  // namespace askfew
