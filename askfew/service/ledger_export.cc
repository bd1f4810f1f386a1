#include "askfew/service/ledger_export.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "askfew/config/csv_field.h"
#include "askfew/config/text.h"
#include "askfew/json/json_text.h"
#include "askfew/ledger/ledger_reader.h"
#include "askfew/service/iso_time.h"
#include "askfew/service/question_desk.h"
#include "askfew/sessions/checkpoint.h"
#include "askfew/sessions/ledger_event.h"
#include "askfew/sessions/ledger_payloads.h"

namespace askfew {
namespace {

using nlohmann::ordered_json;

/// A line of the ledger as an object, when it came, and what became of it.
using SeeRecorded = std::function<void(const ordered_json&, std::int64_t, const Outcome&)>;

/// Reads the lines that have an outcome. Outcomes have the order of their lines.
void for_each_line(const LedgerPlace& place, const SeeRecorded& see) {
  struct Line {
    std::uint64_t number = 0;
    std::int64_t time = 0;
    std::string text;
  };
  const auto store = place.for_reading();
  LedgerReader reader(*store);
  std::deque<Line> waiting;
  std::uint64_t lines = 0;
  while (const auto record = reader.next()) {
    if (record->type == ledger::Type::line) {
      ++lines;
      const auto line = recorded_line_of(record->payload);
      if (line) waiting.push_back({lines, line->time, std::string(line->line)});
    } else if (record->type == ledger::Type::event) {
      const LedgerEvent event = event_of(record->payload);
      const auto* aside = std::get_if<LineSetAside>(&event);
      if (aside != nullptr)
        std::erase_if(waiting, [&](const Line& line) { return line.number == aside->line; });
    } else if (record->type == ledger::Type::checkpoint) {
      lines = checkpoint_head_of(record->payload).lines;  // those before it may be dropped
    } else if (record->type == ledger::Type::outcome && !waiting.empty()) {
      const auto outcome = outcome_of(record->payload);
      const ordered_json object = try_parse_ordered_json(waiting.front().text);
      if (outcome && object.is_object()) see(object, waiting.front().time, *outcome);
      waiting.pop_front();
    }
  }
}

/// What a person said about a task.
ordered_json said_of(const ordered_json& line, const LabelPlan& labels, std::uint32_t task) {
  if (!labels.has_topics()) return line.value("label", ordered_json());
  const ordered_json said = line.value("labels", ordered_json());
  const std::string& topic = labels.names[task];
  if (said.is_object()) return said.value(topic, ordered_json());
  if (!said.is_array()) return {};
  return std::ranges::find(said, ordered_json(topic)) != said.end();
}

/// The columns of topics: a row has the name of its topic.
std::vector<std::string> with_topic(std::vector<std::string> names, const LabelPlan& labels, std::size_t at) {
  if (labels.has_topics()) names.insert(names.begin() + static_cast<std::ptrdiff_t>(at), "topic");
  return names;
}

/// Does somebody's answer have this outcome, for the first time or as a correction?
bool is_exported(LabelOutcome outcome) {
  switch (outcome) {
    case LabelOutcome::learned:
    case LabelOutcome::corrected:
    case LabelOutcome::skipped:
    case LabelOutcome::unsure:
    case LabelOutcome::collected:
    case LabelOutcome::volunteered:
      return true;
    default:
      return false;
  }
}

/// A value as a field: a text without quotes, anything else as JSON. A spreadsheet must not run a text as a
/// formula.
std::string field_of(const ordered_json& value) {
  if (value.is_null()) return "";
  if (!value.is_string()) return csv_field(json_text(value));
  const auto text = value.get<std::string>();
  const bool is_formula =
      !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
  return csv_field(is_formula ? "'" + text : text);
}

class Rows {
 public:
  Rows(ExportFormat format, const WriteText& write) : format_(format), write_(write) {}

  void head(const std::vector<std::string>& names) {
    if (format_ == ExportFormat::csv) text_ += fmt::format("{}\n", fmt::join(names, ","));
  }
  void add(const ordered_json& row) {
    if (format_ == ExportFormat::jsonl) {
      text_ += utf8_json_text(row);
    } else {
      bool is_first = true;
      for (const auto& [name, value] : row.items()) {
        if (!std::exchange(is_first, false)) text_ += ',';
        text_ += field_of(value);
      }
    }
    text_ += '\n';
    constexpr std::size_t piece = 1 << 16;
    if (text_.size() > piece) flush();
  }
  void flush() {
    if (!text_.empty()) write_(text_);
    text_.clear();
  }

 private:
  ExportFormat format_;
  const WriteText& write_;
  std::string text_;
};

}  // namespace

void export_labels(const LedgerPlace& ledger, const LabelPlan& labels, ExportFormat format,
                   const WriteText& write) {
  Rows rows(format, write);
  rows.head(
      with_topic({"id", "label", "outcome", "by", "time", "unsure", "flag", "comment", "said"}, labels, 1));
  for_each_line(ledger, [&](const ordered_json& line, std::int64_t time, const Outcome& outcome) {
    for (const LabelReceipt& receipt : receipts_of(outcome)) {
      if (!is_exported(receipt.outcome)) continue;
      // Of several people's answers only their majority is a label.
      const bool is_label = receipt.label && receipt.outcome != LabelOutcome::collected;
      ordered_json row{{"id", line.value("id", ordered_json())}};
      if (labels.has_topics()) row["topic"] = labels.names[receipt.task];
      row["label"] = is_label ? ordered_json(label_name(labels, *receipt.label)) : ordered_json();
      row["outcome"] = std::string(text_of(receipt.outcome));
      row["by"] = line.value("by", ordered_json());
      row["time"] = iso_time(time);
      row["unsure"] = line.value("unsure", ordered_json(false));
      row["flag"] = line.value("flag", ordered_json(false));
      row["comment"] = line.value("comment", ordered_json(""));
      row["said"] = said_of(line, labels, receipt.task);
      rows.add(row);
    }
  });
  rows.flush();
}

void export_decisions(const LedgerPlace& ledger, const LabelPlan& labels, ExportFormat format,
                      const WriteText& write) {
  Rows rows(format, write);
  rows.head(with_topic({"round", "id", "prediction", "margin", "probability", "asked", "time"}, labels, 2));
  for_each_line(ledger, [&](const ordered_json& line, std::int64_t time, const Outcome& outcome) {
    for (const Decision& decision : decisions_of(outcome)) {
      ordered_json row{{"round", decision.round}, {"id", line.value("id", ordered_json())}};
      if (labels.has_topics()) row["topic"] = labels.names[decision.task];
      row["prediction"] = label_name(labels, decision.prediction);
      row["margin"] = decision.margin;
      row["probability"] = decision.chance();
      row["asked"] = decision.asked;
      row["time"] = iso_time(time);
      rows.add(row);
    }
  });
  rows.flush();
}

}  // namespace askfew
