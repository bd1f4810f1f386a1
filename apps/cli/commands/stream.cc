#include <charconv>
#include <csignal>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

#include "askfew/config/text.h"
#include "askfew/models/model_file.h"
#include "askfew/sessions/even_clock.h"
#include "askfew/sessions/recorder.h"
#include "askfew/sessions/serve.h"
#include "askfew/sessions/session_ledger.h"
#include "askfew/system/memory_limit.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/memory.h"
#include "apps/cli/options/options.h"
#include "apps/cli/outputs.h"

namespace askfew::cli {
namespace {

struct Expiry {
  std::uint64_t rounds = 0;
  std::int64_t age = 0;  // microseconds
};

std::optional<Expiry> parse_expiry(const std::string& text) {
  std::uint64_t number = 0;
  const auto [past, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(past, static_cast<std::size_t>(text.data() + text.size() - past));
  constexpr std::uint64_t most = 1'000'000'000;
  if (error != std::errc{} || number == 0 || number > most) return std::nullopt;
  if (unit.empty()) return Expiry{.rounds = number};
  constexpr std::int64_t second = 1'000'000;
  const std::int64_t length = unit == "s"   ? second
                              : unit == "m" ? 60 * second
                              : unit == "h" ? 3600 * second
                              : unit == "d" ? 86400 * second
                                            : 0;
  if (length == 0) return std::nullopt;
  return Expiry{.age = static_cast<std::int64_t>(number) * length};
}

/// For `check`: rounds, as a plain number, or a time with its unit.
std::string an_expiry(const std::string& text) {
  return parse_expiry(text)
             ? ""
             : in_quotes(text) + " is neither rounds, as 1000, nor an age, as 30s, 10m, 12h or 7d";
}

struct StreamCommand {
  ModelOptions fresh;
  std::string ledger_path;
  std::string model_path;
  std::string expire;
  std::uint64_t keep = LabelQueue::Options{}.keep;
  std::uint64_t max_memory = usual_memory();
  bool sync = false;
  bool quiet = false;

  int operator()(bool any_settings) const;

 private:
  [[nodiscard]] SessionSettings settings() const;
  [[nodiscard]] SessionLedger open(bool any_settings) const;
};

SessionSettings StreamCommand::settings() const {
  DataOptions data;
  data.paths = {"-"};
  data.format = "jsonl";
  SessionSettings settings{.config = fresh.config(data, nullptr), .labels = {.keep = keep}};
  if (const auto expiry = parse_expiry(expire)) {
    settings.labels.max_rounds = expiry->rounds;
    settings.labels.max_age = expiry->age;
  }
  return settings;
}

SessionLedger StreamCommand::open(bool any_settings) const {
  const auto memory = std::make_shared<MemoryLimit>(max_memory);
  const SessionSettings wanted = settings();
  if (!ledger_path.empty()) {
    return open_session_ledger(ledger_path, wanted,
                               any_settings ? SettingsMismatch::is_an_error : SettingsMismatch::is_ignored,
                               memory);
  }
  SessionLedger live;
  live.session = std::make_unique<Session>(
      make_model(wanted.config, {.exactness = Exactness::exact, .memory = memory}), wanted.labels, memory);
  return live;
}

int StreamCommand::operator()(bool any_settings) const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a full disk
  if (model_path == "-") throw ConfigError("--model: standard output has the answers");
  if (sync && ledger_path.empty()) throw ConfigError("--sync is for a --ledger");
  Outputs outputs({{"--model", model_path}});
  SessionLedger live = open(any_settings);
  Session& session = *live.session;
  const auto tell = [&](const std::string& what) {
    if (!quiet) std::cerr << "askfew: " << what << '\n';
  };
  if (live.torn > 0)
    tell(fmt::format("{}: cut off {} bytes of a record that was not written to its end", ledger_path,
                     live.torn));
  if (live.replayed > 0) tell(fmt::format("{}: {} lines replayed", ledger_path, live.replayed));
  const EvenClock clock;
  if (const std::int64_t behind = live.set_clock(clock.now()); behind > 0) {
    tell(
        fmt::format("the clock is {} s behind the ledger's last line: the ages of questions go on from there",
                    1e-6 * static_cast<double>(behind)));
  }

  if (isatty(STDIN_FILENO) != 0) {
    tell(R"(instances and labels, a line of JSON each, e.g. {"id": 1, "text": "hello"}; Ctrl-D ends it)");
  }

  Recorder recorder(session, live.ledger.get(), sync, live.clock_shift);
  const auto answer = [&](std::span<const std::string_view> lines, std::string& answers) {
    recorder.answer(lines, clock.now(), answers);
  };
  const bool has_reader = serve(STDIN_FILENO, STDOUT_FILENO, answer, interrupted);
  if (std::ostream* out = outputs.of("--model")) write_model(snapshot_of(session.model()), *out);
  outputs.commit();
  if (!has_reader) return closed_pipe;
  return interrupted ? interrupted_exit_code() : ok;
}

}  // namespace

void add_stream(CLI::App& program, Ending& ending) {
  auto stream = std::make_shared<StreamCommand>();
  CLI::App* command = program.add_subcommand("stream",
                                             "Answer instances on standard input, a line of JSON each, as "
                                             "they come; labels come back any time later.");
  std::vector<CLI::Option*> settings = stream->fresh.add_live_to(*command);
  settings.push_back(command
                         ->add_option("--expire", stream->expire,
                                      "forget a question after so many rounds, or 30s, 10m, 12h, 7d")
                         ->check(an_expiry)
                         ->type_name("ROUNDS|AGE"));
  settings.push_back(
      command->add_option("--keep", stream->keep, "answered questions that can still be corrected")
          ->transform(CLI::Validator(decimal, ""))
          ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{100'000'000}).description(""))
          ->type_name("N")
          ->capture_default_str());
  command
      ->add_option("--ledger", stream->ledger_path,
                   "record every line and what became of it here, and go on from what is there")
      ->check(a_name);
  command->add_flag("--sync", stream->sync, "answer only what the disk holds, for when the power fails");
  command->add_option("--model", stream->model_path, "write the model here at the end")->check(a_name);
  add_max_memory(*command, stream->max_memory);
  command->add_flag("--quiet", stream->quiet, "nothing on standard error but errors");
  command->callback([stream, settings, &ending] {
    const bool any = std::any_of(settings.begin(), settings.end(),
                                 [](const CLI::Option* option) { return option->count() > 0; });
    ending.code = (*stream)(any);
  });
}

}  // namespace askfew::cli
