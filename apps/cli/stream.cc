#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

#include "askfew/core/text.h"
#include "askfew/live/line_buffer.h"
#include "askfew/live/live_ledger.h"
#include "askfew/live/recorder.h"
#include "askfew/protocol/model_file.h"

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/memory.h"
#include "apps/cli/options.h"
#include "apps/cli/outputs.h"

namespace askfew::cli {
namespace {

/// For `check`: rounds, as a plain number, or a time with its unit.
std::string an_expiry(const std::string& text);

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

std::string an_expiry(const std::string& text) {
  return parse_expiry(text)
             ? ""
             : in_quotes(text) + " is neither rounds, as 1000, nor an age, as 30s, 10m, 12h or 7d";
}

/// The time of day that goes on evenly, whoever sets the machine's clock, and never begins before `least`.
class EvenClock {
 public:
  explicit EvenClock(std::int64_t least) {
    const std::int64_t now = microseconds(CLOCK_REALTIME);
    behind_ = std::max<std::int64_t>(0, least - now);
    offset_ = now + behind_ - microseconds(CLOCK_BOOTTIME);
  }
  [[nodiscard]] std::int64_t now() const { return offset_ + microseconds(CLOCK_BOOTTIME); }
  /// By how much the machine's clock showed less.
  [[nodiscard]] std::int64_t behind() const { return behind_; }

 private:
  static std::int64_t microseconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_nsec / 1000;
  }

  std::int64_t behind_ = 0;
  std::int64_t offset_ = 0;
};

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
  [[nodiscard]] LiveLedger open(bool any_settings) const;
};

SessionSettings StreamCommand::settings() const {
  DataOptions data;
  data.paths = {"-"};
  data.format = "jsonl";
  SessionSettings settings{.config = fresh.config(data, nullptr), .labels = {.keep = keep}};
  if (const auto expiry = parse_expiry(expire)) {
    settings.labels.most_rounds = expiry->rounds;
    settings.labels.most_age = expiry->age;
  }
  return settings;
}

LiveLedger StreamCommand::open(bool any_settings) const {
  const auto memory = std::make_shared<MemoryLimit>(max_memory);
  if (!ledger_path.empty()) {
    const bool goes_on = !any_settings && std::filesystem::exists(ledger_path) &&
                         std::filesystem::is_regular_file(ledger_path) &&
                         std::filesystem::file_size(ledger_path) > 0;
    return open_live_ledger(ledger_path, goes_on ? std::nullopt : std::optional(settings()), memory);
  }
  const SessionSettings wanted = settings();
  LiveLedger live;
  live.session = std::make_unique<Session>(
      make_model(wanted.config, {.exactness = Exactness::exact, .memory = memory}), wanted.labels);
  return live;
}

/// Writes all of it, and says whether somebody was there to read it.
bool write_answers(std::string_view answers) {
  while (!answers.empty()) {
    const ssize_t wrote = write(STDOUT_FILENO, answers.data(), answers.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EPIPE) return false;
    if (wrote < 0) throw FileError(std::string("cannot write to standard output: ") + std::strerror(errno));
    answers.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

int StreamCommand::operator()(bool any_settings) const {
  const std::atomic<bool>& interrupted = watch_for_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a full disk
  if (model_path == "-") throw ConfigError("--model: standard output has the answers");
  Outputs outputs({{"--model", model_path}});
  LiveLedger live = open(any_settings);
  Session& session = *live.session;
  const auto tell = [&](const std::string& what) {
    if (!quiet) std::cerr << "askfew: " << what << '\n';
  };
  if (live.torn > 0)
    tell(fmt::format("{}: cut off {} bytes of a record that was not written to its end", ledger_path,
                     live.torn));
  if (live.replayed > 0) tell(fmt::format("{}: {} lines replayed", ledger_path, live.replayed));
  const EvenClock clock(session.time());
  if (clock.behind() > 0) {
    tell(fmt::format("the clock is {} s behind the ledger's last line: time goes on from there",
                     1e-6 * static_cast<double>(clock.behind())));
  }

  Recorder recorder(session, live.ledger.get(), sync);
  LineBuffer input;
  std::string answers;
  bool has_reader = true;
  const auto answer = [&](std::span<const std::string_view> lines) {
    if (lines.empty()) return;
    answers.clear();
    recorder.answer(lines, clock.now(), answers);
    has_reader = write_answers(answers);
  };
  while (!interrupted && has_reader) {
    const std::span<char> room = input.room();
    const ssize_t got = read(STDIN_FILENO, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(std::string("<stdin>: cannot read: ") + std::strerror(errno));
    if (got == 0) {
      answer(input.last_line());
      break;
    }
    answer(input.lines(static_cast<std::size_t>(got)));
  }
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
  std::vector<CLI::Option*> settings = stream->fresh.add_to(*command);
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
