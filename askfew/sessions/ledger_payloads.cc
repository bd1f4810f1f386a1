#include "askfew/sessions/ledger_payloads.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "askfew/json/json_text.h"
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
  settings = 6,
  topic_decisions = 7,
  topic_receipts = 8
};
constexpr const char* late_key = "late_labels";  // of classes: "own", each is learned from its own instance
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

constexpr std::uint8_t asked_flag = 1;
constexpr std::uint8_t audited_flag = 2;
constexpr std::uint8_t positive_flag = 4;

std::uint8_t flags_of(const Decision& decision) {
  return static_cast<std::uint8_t>((decision.asked ? asked_flag : 0) | (decision.audited ? audited_flag : 0));
}

/// The numbers of a decision, which end it in all payloads.
void append_numbers(const Decision& decision, std::string& out) {
  append(decision.round, out);
  append(decision.margin, out);
  append(decision.probability, out);
  append(decision.coin, out);
  append(decision.audit, out);
  append(decision.version, out);
}

void read_numbers(Fields& fields, Decision& decision) {
  decision.round = fields.next<std::uint64_t>();
  decision.margin = fields.next<double>();
  decision.probability = fields.next<double>();
  decision.coin = fields.next<double>();
  decision.audit = fields.next<double>();
  decision.version = fields.next<std::uint64_t>();
}

void set_flags(std::uint8_t flags, Decision& decision) {
  decision.asked = (flags & asked_flag) != 0;
  decision.audited = (flags & audited_flag) != 0;
}

void append_receipt(const LabelReceipt& receipt, std::string& out) {
  append(static_cast<std::uint8_t>(receipt.updated ? 1 : 0), out);
  append(receipt.outcome, out);
  append(receipt.label.value_or(no_label), out);
  append(receipt.round, out);
  append(receipt.latency, out);
  append(receipt.version, out);
}

bool is_same_number(double one, double two, Compared compared) {
  if (std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(two)) return true;
  constexpr double rounding = 1e-6;
  return compared == Compared::up_to_rounding &&
         std::abs(one - two) <= rounding * std::max({1.0, std::abs(one), std::abs(two)});
}

bool is_same(const Decision& one, const Decision& other, Compared compared) {
  const auto same = [&](double a, double b) { return is_same_number(a, b, compared); };
  return one.round == other.round && one.version == other.version && one.prediction == other.prediction &&
         one.asked == other.asked && one.audited == other.audited && one.task == other.task &&
         same(one.margin, other.margin) && same(one.probability, other.probability) &&
         same(one.coin, other.coin) && same(one.audit, other.audit);
}

bool is_same(const LabelReceipt& one, const LabelReceipt& other) {
  return one.outcome == other.outcome && one.round == other.round && one.latency == other.latency &&
         one.version == other.version && one.label == other.label && one.updated == other.updated &&
         one.task == other.task;
}

Decision decision_of(Fields& fields) {
  Decision decision;
  set_flags(fields.next<std::uint8_t>(), decision);
  decision.prediction = fields.next<LabelNumber>();
  read_numbers(fields, decision);
  return decision;
}

/// Topics are read while there are bytes: a damaged number of topics takes no memory.
TopicDecisions topic_decisions_of(Fields& fields) {
  TopicDecisions decisions;
  const auto topics = fields.next<std::uint32_t>();
  for (std::uint32_t k = 0; k < topics && fields.is_enough(); ++k) {
    Decision& decision = decisions.topics.emplace_back();
    const auto flags = fields.next<std::uint8_t>();
    set_flags(flags, decision);
    decision.prediction = (flags & positive_flag) != 0 ? 1 : 0;
    decision.task = k;
    read_numbers(fields, decision);
  }
  return decisions;
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

TopicReceipts topic_receipts_of(Fields& fields) {
  TopicReceipts receipts;
  const auto topics = fields.next<std::uint32_t>();
  for (std::uint32_t k = 0; k < topics && fields.is_enough(); ++k) {
    const auto task = fields.next<std::uint32_t>();
    receipts.topics.push_back(receipt_of(fields));
    receipts.topics.back().task = task;
  }
  return receipts;
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
  nlohmann::json json = json_of(options);
  if (model.has_classes() && !options.mixes_late) json[late_key] = "own";
  const std::string settings = json_text(json);
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
    const auto json = parse_json(payload.substr(0, size));
    LabelQueue::Options options = label_options_of(json);
    Model model = model_of(decode_model(payload.substr(size)), usage);
    options.mixes_late = model.has_classes() && !json.contains(late_key);
    return {std::move(model), options};
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
    append(flags_of(*decision), out);
    append(decision->prediction, out);
    append_numbers(*decision, out);
  } else if (const auto* decisions = std::get_if<TopicDecisions>(&outcome)) {
    append(Kind::topic_decisions, out);
    append(static_cast<std::uint32_t>(decisions->topics.size()), out);
    for (const Decision& topic : decisions->topics) {
      append(static_cast<std::uint8_t>(flags_of(topic) | (topic.prediction == 1 ? positive_flag : 0)), out);
      append_numbers(topic, out);
    }
  } else if (const auto* receipt = std::get_if<LabelReceipt>(&outcome)) {
    append(Kind::receipt, out);
    append_receipt(*receipt, out);
  } else if (const auto* receipts = std::get_if<TopicReceipts>(&outcome)) {
    append(Kind::topic_receipts, out);
    append(static_cast<std::uint32_t>(receipts->topics.size()), out);
    for (const LabelReceipt& topic : receipts->topics) {
      append(topic.task, out);
      append_receipt(topic, out);
    }
  } else if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
    append(Kind::refusal, out);
    append(refusal->code, out);
    out += refusal->why;
  } else if (const auto* repeat = std::get_if<Repeat>(&outcome)) {
    append(Kind::repeat, out);
    append(repeat->round, out);
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
      outcome = Repeat{.round = fields.next<std::uint64_t>(), .first = {}};
      break;
    case Kind::settings: {
      const auto round = fields.next<std::uint64_t>();
      outcome = SettingsReceipt{round, std::string(fields.left())};
      break;
    }
    case Kind::topic_decisions:
      outcome = topic_decisions_of(fields);
      break;
    case Kind::topic_receipts:
      outcome = topic_receipts_of(fields);
      break;
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
  const auto decisions = decisions_of(outcome);
  const auto receipts = receipts_of(outcome);
  if (!decisions.empty() || !receipts.empty()) {
    return std::ranges::equal(
               decisions, decisions_of(recorded),
               [&](const Decision& a, const Decision& b) { return is_same(a, b, compared); }) &&
           std::ranges::equal(receipts, receipts_of(recorded),
                              [](const LabelReceipt& a, const LabelReceipt& b) { return is_same(a, b); });
  }
  if (const auto* receipt = std::get_if<SettingsReceipt>(&outcome)) {
    const auto& other = std::get<SettingsReceipt>(recorded);
    return receipt->round == other.round && receipt->settings == other.settings;
  }
  if (const auto* repeat = std::get_if<Repeat>(&outcome))
    return repeat->round == std::get<Repeat>(recorded).round;
  return decisions_of(recorded).empty() && receipts_of(recorded).empty();
}

}  // namespace askfew
