#include "askfew/workflows/replay.h"

#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <optional>

#include "askfew/config/text.h"
#include "askfew/models/model_file.h"
#include "askfew/postgres/postgres_ledger.h"
#include "askfew/sessions/answers.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/options/ledger_flag.h"
#include "apps/cli/options/memory_flag.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/estimate_report.h"

namespace askfew::cli {
namespace {

struct ReplayCommand {
  ReplayOptions options;
  std::vector<std::string> other_shards;
  std::string model_path;
  std::string json_path;
  std::string trace_path;

  int operator()() const;

 private:
  int join_shards() const;
};

/// CSV of all lines: of an instance what was decided, of a label what became of it.
class LiveTrace {
 public:
  LiveTrace(std::ostream& out, const LabelPlan& labels) : out_(out), labels_(labels) {
    out_ << "time,id,round,margin,probability,coin,audit,asked,prediction,version,label,outcome,latency,"
            "updated,audit_coin,chance"
         << (labels.has_topics() ? ",topic\n" : "\n");
  }

  /// One row; of topics one per topic.
  void write(const Replayed& line) {
    for (const Decision& decision : decisions_of(line.outcome)) {
      begin(line);
      append(decision);
      end(decision.task);
    }
    for (const LabelReceipt& receipt : receipts_of(line.outcome)) {
      begin(line);
      append(receipt);
      end(receipt.task);
    }
    if (const auto* settings = std::get_if<SettingsReceipt>(&line.outcome)) {
      begin(line);
      row_ += fmt::format(",{},,,,,,,,,settings,,,,", settings->round);
      end(std::nullopt);
    } else if (const auto* repeat = std::get_if<Repeat>(&line.outcome)) {
      begin(line);
      row_ += fmt::format(",{},,,,,,,,,repeated,,,,", repeat->round);
      end(std::nullopt);
    } else if (std::holds_alternative<Refusal>(line.outcome)) {
      begin(line);
      row_ += ",,,,,,,,,,refused,,,,";
      end(std::nullopt);
    }
  }

 private:
  void begin(const Replayed& line) {
    row_.clear();
    append_seconds(line.came);
    row_ += ',';
    const std::string_view id = line.incoming.id;
    append_field(id.substr(id.starts_with('"') ? 1 : 0));
  }
  void end(std::optional<std::uint32_t> task) {
    if (labels_.has_topics()) {
      row_ += ',';
      if (task) append_field(labels_.names[*task]);
    }
    out_ << row_ << '\n';
  }
  void append(const Decision& decision) {
    row_ += fmt::format(",{},", decision.round);
    append_exact(decision.margin, row_);
    row_ += ',';
    append_exact(decision.probability, row_);
    row_ += ',';
    append_exact(decision.coin, row_);
    row_ += ',';
    append_exact(decision.audit, row_);
    row_ += fmt::format(",{},", decision.asked ? 1 : 0);
    append_label(decision.prediction);
    row_ += fmt::format(",{},,,,,", decision.version);
    append_exact(decision.audit_coin, row_);
    row_ += ',';
    append_exact(decision.chance(), row_);
  }
  void append(const LabelReceipt& receipt) {
    row_ += fmt::format(",{},,,,,,,{},", receipt.round, receipt.version);
    if (receipt.label) append_label(*receipt.label);
    row_ += fmt::format(",{},", text_of(receipt.outcome));
    append_seconds(receipt.latency);
    row_ += fmt::format(",{},,", receipt.updated ? 1 : 0);
  }
  void append_seconds(std::int64_t microseconds) {
    row_ += fmt::format("{}.{:06}", microseconds / 1'000'000, microseconds % 1'000'000);
  }
  void append_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
      row_ += text;
      return;
    }
    row_ += '"';
    for (const char c : text) row_.append(c == '"' ? 2 : 1, c);
    row_ += '"';
  }
  void append_label(LabelNumber label) {
    if (labels_.kind == LabelPlan::Kind::one_of) {
      append_field(labels_.names[label]);
    } else {
      row_ += label == 1 ? "1" : "-1";
    }
  }

  std::ostream& out_;
  const LabelPlan& labels_;
  std::string row_;
};

std::string estimate_text(const EstimateSummary& estimate, bool multiclass) {
  const Quality& whole = estimate.whole;
  std::string text = fmt::format("estimated  error {:.2f}% [{:.2f}%, {:.2f}%]", 100 * whole.error.value,
                                 100 * whole.error.interval.low, 100 * whole.error.interval.high);
  if (!multiclass) {
    text += fmt::format(", F {:.4f} [{:.4f}, {:.4f}]", whole.f1.value, whole.f1.interval.low,
                        whole.f1.interval.high);
  }
  text += '\n' + uncovered_text(whole.uncovered);
  for (const Change& change : estimate.changes) text += "change     " + text_of(change) + "\n";
  return text + advice_text(estimate);
}

std::string topic_text(const SessionSummary::Topic& topic) {
  std::string text = fmt::format("topic      {}: {} labels asked, {:.1f} expected, {} updates\n", topic.name,
                                 topic.tally.asked, topic.tally.expected_asked, topic.tally.updates);
  return topic.estimate ? text + estimate_text(*topic.estimate, false) : text;
}

std::string text_report(const ReplayResult& result, const std::string& path) {
  const SessionSummary& session = result.summary;
  const Tally& tally = session.tally;
  const Session::Counts& counts = session.counts;
  std::string text =
      result.dropped > 0
          ? fmt::format(
                "ledger     {}: {} lines after a checkpoint of {}, every outcome as it was recorded\n", path,
                result.lines - result.dropped, result.dropped)
          : fmt::format("ledger     {}: {} lines, every outcome as it was recorded\n", path, result.lines);
  if (result.checkpoints > 0)
    text += fmt::format("checkpoints {}, each as the lines before it give it\n", result.checkpoints);
  text += fmt::format("sampler    {} + {}, update on {}, seed {}\n", session.learner, session.rule,
                      session.update, session.seed);
  text += fmt::format("rounds     {}, {} instances refused, {} repeated\n", tally.round, counts.refused,
                      counts.repeats);
  if (session.seed_labels > 0) {
    text += fmt::format("seeds      {} labels were learned first; no other line counts them\n",
                        session.seed_labels);
  }
  text += fmt::format("asked      {} labels, {:.1f} expected; {} wait, {} expired\n", tally.asked,
                      tally.expected_asked, counts.waiting, counts.expired);
  text += "labels    ";
  for (std::size_t k = 0; k < label_outcomes; ++k) {
    text +=
        fmt::format("{} {} {}", k == 0 ? "" : ",", counts.labels[k], text_of(static_cast<LabelOutcome>(k)));
  }
  text += fmt::format("\nupdates    {}\n", tally.updates);
  if (session.estimate) text += estimate_text(*session.estimate, session.multiclass);
  for (const SessionSummary::Topic& topic : session.topics) text += topic_text(topic);
  return text;
}

void tell_flaws(const ReplayResult& result) {
  if (result.torn_bytes > 0) {
    std::cerr << fmt::format("note: the last {} bytes are of a record that was not written to its end\n",
                             result.torn_bytes);
  }
  if (result.set_aside > 0) std::cerr << fmt::format("note: {} lines are set aside\n", result.set_aside);
  if (result.unrecorded > 0) {
    std::cerr << fmt::format("note: of the last {} lines the outcome was not recorded any more\n",
                             result.unrecorded);
  }
}

int ReplayCommand::join_shards() const {
  if (!json_path.empty() || !trace_path.empty())
    throw ConfigError("--json and --trace are of one ledger: replay the shards one by one for them");
  std::vector<FilePlace> inputs{{"LEDGER", options.ledger.path()}};
  std::vector<ReplayOptions> shards{options};
  for (const std::string& other : other_shards) {
    shards.push_back({.ledger = ledger_at(other), .max_memory = options.max_memory});
    inputs.push_back({"SHARDS", shards.back().ledger.path()});
  }
  Outputs outputs({{"--model", model_path}}, inputs);
  std::string reports;
  std::size_t seen = 0;
  const auto whole = replay_shards(shards, {{.stop = &handle_interrupts()}}, [&](const ReplayResult& result) {
    tell_flaws(result);
    reports += text_report(result, shards[seen++].ledger.name());
  });
  if (!whole) return interrupted_exit_code();
  if (std::ostream* out = outputs.of("--model")) write_model(*whole, *out);
  outputs.commit();
  if (!outputs.take_standard_output()) std::cout << reports;
  return ok;
}

int ReplayCommand::operator()() const {
  if (!other_shards.empty()) return join_shards();
  Outputs outputs({{"--trace", trace_path}, {"--json", json_path}, {"--model", model_path}},
                  {{"LEDGER", options.ledger.path()}});
  std::optional<LiveTrace> trace;
  std::ostream* trace_out = outputs.of("--trace");
  ReplayHooks hooks{{.stop = &handle_interrupts()}};
  hooks.line = [&](const Session& session, const Replayed& line) {
    if (trace_out != nullptr && !trace) trace.emplace(*trace_out, session.model().config.labels);
    if (trace) trace->write(line);
  };
  const ReplayResult result = replay(options, hooks);
  if (result.stopped) return interrupted_exit_code();
  const Session& session = *result.session;
  if (trace_out != nullptr && !trace) trace.emplace(*trace_out, session.model().config.labels);
  tell_flaws(result);
  if (std::ostream* out = outputs.of("--json")) {
    std::string report;
    append_report(session, report);
    *out << report;
  }
  if (std::ostream* out = outputs.of("--model")) write_model(snapshot_of(session.model()), *out);
  outputs.commit();
  if (!outputs.take_standard_output()) std::cout << text_report(result, options.ledger.name());
  return ok;
}

}  // namespace

void add_replay(Command& program, Ending& ending) {
  auto replayed = std::make_shared<ReplayCommand>();
  Command* command = program.add_subcommand(
      "replay", "Replay a ledger: repeat every line, compare the outcomes, and rebuild the model.");
  add_ledger_place(*command, "LEDGER", replayed->options.ledger, "ledger of askfew stream or label")
      ->required();
  command
      ->add_option(
          "SHARDS", replayed->other_shards,
          "the ledgers of the other shards, in their order; --model then writes the model of all topics")
      ->check(a_name);
  command->add_option("--model", replayed->model_path, "write the model here; - is standard output")
      ->check(a_name);
  command->add_option("--json", replayed->json_path, "write the report here as JSON; - is standard output")
      ->check(a_name);
  command->add_option("--trace", replayed->trace_path, "write every line here as CSV; - is standard output")
      ->check(a_name);
  add_max_memory(*command, replayed->options.max_memory);
  command->callback([replayed, &ending] { ending.code = (*replayed)(); });
}

}  // namespace askfew::cli
