#include <csignal>
#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <string_view>
#include <unistd.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/models/model_file.h"
#include "askfew/sessions/answers.h"
#include "askfew/sessions/even_clock.h"
#include "askfew/sessions/recorder.h"
#include "askfew/sessions/serve.h"
#include "askfew/sessions/sessions_by_key.h"
#include "askfew/system/file_places.h"
#include "askfew/workflows/session.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/commands/kafka_stream.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/options/ledger_flag.h"
#include "apps/cli/options/memory_flag.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/terminal_hooks.h"

namespace askfew::cli {
namespace {

constexpr std::string_view what_may_be_missing =
    ": lines that were answered with an error may be missing; what became of other lines is added by the "
    "next stream";

/// For `check`: rounds, as a plain number, or a time with its unit.
std::string an_expiry(const std::string& text) {
  return is_expiry(text)
             ? ""
             : in_quotes(text) + " is neither rounds, as 1000, nor an age, as 30s, 10m, 12h or 7d";
}

struct StreamCommand {
  SessionOptions options;
  KafkaFlags kafka;
  std::string model_path;
  std::string model_per;
  std::uint64_t open_models = KeyedOptions{}.most_open;
  bool sync = false;
  bool quiet = false;

  int operator()() const;

 private:
  void tell(const std::string& what) const {
    if (!quiet) std::cerr << "askfew: " << what << '\n';
  }
  [[nodiscard]] KeyedOptions keyed() const {
    return {.folder = options.ledger.path(), .field = model_per, .most_open = open_models, .sync = sync};
  }
  void tell(const RefusalCount& counts) const {
    if (const std::string text = counts.text("lines"); !text.empty()) tell(text);
  }
  int take_lines() const;
  int take_lines_by_key() const;
};

int StreamCommand::operator()() const {
  if (!kafka.is_used()) return model_per.empty() ? take_lines() : take_lines_by_key();
  if (!model_path.empty())
    throw ConfigError(
        "--model is not for --kafka: each partition has a model; 'askfew replay LEDGER --model' writes it");
  return stream_from_kafka(kafka, options, keyed(), [this](const std::string& what) { tell(what); });
}

int StreamCommand::take_lines_by_key() const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  if (options.ledger.path().empty())
    throw ConfigError("--model-per needs --ledger, a folder: models that are not in use stay there");
  if (!model_path.empty())
    throw ConfigError(
        "--model is not for --model-per: 'askfew replay LEDGER --model' writes the model of a key");
  SessionsByKey sessions(
      keyed(), [open = session_opener(options)](const std::string& ledger) { return open(ledger, {}); });
  const EvenClock clock;
  RefusalCount counts;
  const auto answer = [&](std::span<const std::string_view> lines, std::string& answers) {
    sessions.answer(lines, clock.now(), answers);
    counts.came += lines.size();
    counts.refused += errors_in(answers);
  };
  const bool has_reader = serve(STDIN_FILENO, STDOUT_FILENO, answer, interrupted);
  const bool has_all = sessions.end();
  tell(counts);
  if (!has_all) tell(fmt::format("some ledgers could not be written at the end{}", what_may_be_missing));
  if (interrupted) return interrupted_exit_code();
  if (!has_all) return bad_data;
  return has_reader ? ok : closed_pipe;
}

int StreamCommand::take_lines() const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  if (model_path == "-") throw ConfigError("--model: standard output has the answers");
  if (sync && options.ledger.empty()) throw ConfigError("--sync is for a --ledger");
  check_apart(std::vector<FilePlace>{{"standard input", "-"}, {"--seed-labels", options.model.seed_labels}},
              std::vector<FilePlace>{{"--ledger", options.ledger.path()}, {"--model", model_path}});
  Outputs outputs({{"--model", model_path}}, {});
  SessionLedger live = open_session(options);
  Session& session = *live.session;
  if (live.torn > 0)
    tell(fmt::format("{}: cut off {} bytes of a record that was not written to its end",
                     options.ledger.name(), live.torn));
  if (live.restored > 0) {
    tell(fmt::format("{}: {} lines, the last {} replayed from a checkpoint", options.ledger.name(),
                     live.replayed, live.replayed - live.restored));
  } else if (live.replayed > 0) {
    tell(fmt::format("{}: {} lines replayed", options.ledger.name(), live.replayed));
  }
  const EvenClock clock;
  if (const std::int64_t behind = live.set_clock(clock.now()); behind > 0) {
    tell(
        fmt::format("the clock is {} s behind the ledger's last line: the ages of questions go on from there",
                    1e-6 * static_cast<double>(behind)));
  }

  if (isatty(STDIN_FILENO) != 0) {
    tell(
        R"(instances and labels, one JSON object per line, e.g. {"id": 1, "text": "hello"}; Ctrl-D ends it)");
  }

  Recorder recorder(live, sync);
  RefusalCount counts;
  const auto answer = [&](std::span<const std::string_view> lines, std::string& answers) {
    recorder.answer(lines, clock.now(), answers);
    counts.came += lines.size();
    counts.refused += errors_in(answers);
  };
  const bool has_reader = serve(STDIN_FILENO, STDOUT_FILENO, answer, interrupted);
  const bool has_all = recorder.end();
  tell(counts);
  if (!has_all)
    tell(fmt::format("the ledger could not be written at the end: {}{}", live.ledger->why(),
                     what_may_be_missing));
  if (std::ostream* out = outputs.of("--model")) write_model(snapshot_of(session.model()), *out);
  outputs.commit();
  if (interrupted) return interrupted_exit_code();
  if (!has_all) return bad_data;
  return has_reader ? ok : closed_pipe;
}

}  // namespace

void add_stream(Command& program, Ending& ending) {
  auto stream = std::make_shared<StreamCommand>();
  Command* command = program.add_subcommand("stream",
                                            "Answer instances as they arrive on standard input, one JSON "
                                            "object per line. Labels may come at any later time.");
  SessionOptions& options = stream->options;
  Flags settings = add_live_flags(*command, options.model);
  Option* ask = add_ask_flag(*command, options.model.ask);
  settings.push_back(ask);
  settings.push_back(command
                         ->add_option("--shard", options.shard,
                                      "take a part of the topics, e.g. 3/8 for the third eighth; all parts "
                                      "together decide as one stream")
                         ->type_name("NUMBER/COUNT"));
  settings.push_back(add_seed_labels_flag(*command, options.model.seed_labels));
  settings.push_back(
      command
          ->add_option("--expire", options.expire,
                       "forget a question after so many rounds, or after a time such as 30s, 10m, 12h or 7d")
          ->check(an_expiry)
          ->type_name("ROUNDS|AGE"));
  settings.push_back(
      command->add_option("--keep", options.keep, "number of answered questions that can still be corrected")
          ->unshown_range(0, 100'000'000)
          ->type_name("N")
          ->capture_default_str());
  settings.push_back(command
                         ->add_option("--volunteered", options.volunteered,
                                      "labels that were not asked: refuse them, keep or learn them")
                         ->type_name("refuse|keep|learn")
                         ->capture_default_str());
  settings.push_back(
      command
          ->add_option(
              "--overlap", options.overlap,
              "several people answer a share of the questions: with 10%:3, three people answer a tenth")
          ->type_name("SHARE:PEOPLE"));
  add_ledger_place(*command, "--ledger", options.ledger,
                   "record every line and its outcome here; continue from the ledger if it exists");
  command->add_flag("--sync", stream->sync,
                    "answer only after the records are on the disk, so that a power failure loses nothing");
  command->add_option("--model", stream->model_path, "write the model here at the end")->check(a_name);
  add_max_memory(*command, options.max_memory);
  command->add_flag("--quiet", stream->quiet, "nothing on standard error but errors");
  command
      ->add_option("--model-per", stream->model_per,
                   "keep one model for each value of this field of the lines; --ledger is then a folder")
      ->check(a_name)
      ->type_name("FIELD");
  command
      ->add_option("--open-models", stream->open_models,
                   "with --model-per: number of models in memory; the others are on the disk")
      ->unshown_range(1, 100'000)
      ->type_name("N")
      ->needs("--model-per")
      ->capture_default_str();
  add_kafka_flags(*command, stream->kafka);
  command->footer(
      "A line that is refused is answered with an \"error\" and does not end the stream. At the end the "
      "number "
      "of refused lines or messages is on standard error; the exit code is 0.");
  const Option* labels = command->get_option("--labels");
  command->callback([stream, settings, labels, ask, &ending] {
    stream->options.topics = ask->count() > 0;
    if (!stream->quiet) stream->options.doubt = [](const std::string& sentence) { print_notes({sentence}); };
    settle_kafka_flags(stream->kafka, stream->options);
    // With Kafka --labels is a topic, no setting.
    const bool has_names = !stream->options.model.labels.labels.empty();
    const auto given = std::count_if(settings.begin(), settings.end(),
                                     [](const Option* option) { return option->count() > 0; });
    const bool any = has_names || given > (labels->count() > 0 ? 1 : 0);
    stream->options.mismatch = any ? SettingsMismatch::is_an_error : SettingsMismatch::is_ignored;
    ending.code = (*stream)();
  });
}

}  // namespace askfew::cli
