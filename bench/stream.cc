// Measures a live stream through two real pipes, with its ledger on a disk: the time from a line to its
// answer when lines come one at a time, and the number of instances per second when the pipe is always full.
// The texts resemble English, have 100 words and are hashed. The label of an asked instance comes back some
// lines later.
//
// For comparison, the same run measures the same stream without a ledger, and a bare loop that parses every
// line as JSON, writes an answer of the same length, and does nothing else.
//
// bench_stream [LEDGER [SAMPLER]]: LEDGER is the path of the ledger, bench.ledger by default, which is
// removed; SAMPLER is pa-log by default.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <random>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "askfew/sessions/even_clock.h"
#include "askfew/sessions/recorder.h"
#include "askfew/sessions/serve.h"
#include "askfew/sessions/session_ledger.h"

#include "bench/measure.h"

namespace askfew {
namespace {

constexpr std::size_t instances = 100'000;
constexpr std::size_t requests = 20'000;
constexpr std::size_t words_of_one = 100;
constexpr std::size_t vocabulary = 50'000;
constexpr int repetitions = 5;

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Words have Zipf's frequencies; the first letters of an instance decide whether it is positive.
struct Text {
  std::vector<std::string> lines;
  std::vector<bool> positive;
};
Text make_text() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::vector<std::string> words(vocabulary);
  for (std::string& word : words) {
    const std::size_t length = 2 + random() % 8;
    for (std::size_t k = 0; k < length; ++k) word += "abdeeilnorstu"[random() % 13];
  }
  Text text;
  for (std::size_t id = 0; id < instances; ++id) {
    std::string line = "{\"id\":" + std::to_string(id) + ",\"text\":\"";
    int score = 0;
    for (std::size_t k = 0; k < words_of_one; ++k) {
      const auto rank = static_cast<std::size_t>(std::pow(vocabulary, uniform(random))) - 1;
      score += rank % 3 == 0 ? 2 : -1;
      (line += words[rank]) += ' ';
    }
    text.lines.push_back(line + "\"}\n");
    text.positive.push_back(score > 0);
  }
  return text;
}

/// A process that answers lines on a pipe.
class Server {
 public:
  explicit Server(const std::function<void(int in, int out)>& work) {
    int to[2];
    int from[2];
    if (pipe(to) != 0 || pipe(from) != 0) std::abort();
    child_ = fork();
    if (child_ == 0) {
      close(to[1]);
      close(from[0]);
      work(to[0], from[1]);
      _exit(0);
    }
    close(to[0]);
    close(from[1]);
    in_ = to[1];
    out_ = from[0];
  }
  ~Server() {
    if (in_ >= 0) close(in_);
    close(out_);
    waitpid(child_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  Server(Server&&) = delete;
  Server& operator=(Server&&) = delete;

  [[nodiscard]] int in() const { return in_; }
  [[nodiscard]] int out() const { return out_; }

 private:
  pid_t child_ = 0;
  int in_ = -1;
  int out_ = -1;
};

/// The instance whose label the answer asks for, or none.
long asked_id(std::string_view answer) {
  if (answer.find("\"ask\":true") == std::string_view::npos) return -1;
  return std::strtol(answer.data() + std::strlen("{\"id\":"), nullptr, 10);
}

std::string label_line(const Text& text, long id) {
  return "{\"id\":" + std::to_string(id) +
         (text.positive[static_cast<std::size_t>(id)] ? ",\"label\":1}\n" : ",\"label\":-1}\n");
}

/// Sends each line after the answer to the line before; returns the microseconds of each instance, in order.
std::vector<double> latencies(const Server& server, const Text& text) {
  std::vector<double> times;
  std::string answer(1 << 16, '\0');
  const auto exchange = [&](const std::string& line) {
    if (write(server.in(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
    std::size_t size = 0;
    do {
      const ssize_t got = read(server.out(), answer.data() + size, answer.size() - size - 1);
      if (got <= 0) std::abort();
      size += static_cast<std::size_t>(got);
    } while (answer[size - 1] != '\n');
    answer[size] = '\0';
    return std::string_view(answer).substr(0, size);
  };
  for (std::size_t k = 0; k < requests; ++k) {
    const double begin = seconds_now();
    const std::string_view got = exchange(text.lines[k]);
    times.push_back(1e6 * (seconds_now() - begin));
    if (const long id = asked_id(got); id >= 0) exchange(label_line(text, id));
  }
  std::sort(times.begin(), times.end());
  return times;
}

/// Instances per second through a pipe that is always full.
double throughput(const Server& server, const Text& text) {
  fcntl(server.in(), F_SETFL, O_NONBLOCK);
  fcntl(server.out(), F_SETFL, O_NONBLOCK);
  std::string out;
  std::string in;
  std::string buffer(1 << 18, '\0');
  std::size_t next = 0;
  std::size_t expected = instances;
  std::size_t answered = 0;
  const double begin = seconds_now();
  while (answered < expected) {
    while (out.size() < (1 << 17) && next < instances) out += text.lines[next++];
    pollfd both[2] = {
        {.fd = server.out(), .events = POLLIN, .revents = 0},
        {.fd = server.in(), .events = static_cast<short>(out.empty() ? 0 : POLLOUT), .revents = 0}};
    poll(both, 2, -1);
    if ((both[1].revents & POLLOUT) != 0) {
      const ssize_t wrote = write(server.in(), out.data(), out.size());
      if (wrote > 0) out.erase(0, static_cast<std::size_t>(wrote));
    }
    if ((both[0].revents & POLLIN) == 0) continue;
    const ssize_t got = read(server.out(), buffer.data(), buffer.size());
    if (got <= 0) std::abort();
    in.append(buffer, 0, static_cast<std::size_t>(got));
    std::size_t from = 0;
    for (std::size_t end = in.find('\n'); end != std::string::npos; end = in.find('\n', from)) {
      ++answered;
      if (const long id = asked_id(std::string_view(in).substr(from, end - from)); id >= 0) {
        out += label_line(text, id);
        ++expected;
      }
      from = end + 1;
    }
    in.erase(0, from);
  }
  return static_cast<double>(instances) / (seconds_now() - begin);
}

const std::atomic<bool> never = false;

void work_bare(int in, int out) {
  const MixedLabels labels(std::make_shared<LabelNames>());
  JsonReader reader(1 << 20, labels, {});
  serve(
      in, out,
      [&](std::span<const std::string_view> lines, std::string& answers) {
        for (const std::string_view line : lines) {
          const auto record = reader.read_any(line);
          ((answers += "{\"id\":") += (*record)->id->token) += ",\"ask\":false}\n";
        }
      },
      never);
}

void work(int in, int out, const std::string& sampler, const std::string& ledger) {
  const SessionSettings settings{.config = {.sampler = parse_preset(sampler), .seed = 1}, .labels = {}};
  SessionLedger live;
  if (ledger.empty()) {
    live.session = std::make_unique<Session>(make_model(settings.config, {.exactness = Exactness::exact}),
                                             settings.labels);
  } else {
    live = open_session_ledger(ledger, settings, SettingsMismatch::is_an_error, nullptr);
  }
  const EvenClock clock;
  live.set_clock(clock.now());
  Recorder recorder(live, false);
  serve(
      in, out,
      [&](std::span<const std::string_view> lines, std::string& answers) {
        recorder.answer(lines, clock.now(), answers);
      },
      never);
}

struct Measured {
  std::vector<double> p50;
  std::vector<double> p99;
  std::vector<double> rate;
};

void measure(const Text& text, const std::string& ledger, const std::function<void(int, int)>& work,
             Measured& out) {
  {
    std::remove(ledger.c_str());
    const std::vector<double> times = latencies(Server(work), text);
    out.p50.push_back(times[times.size() / 2]);
    out.p99.push_back(times[times.size() * 99 / 100]);
  }
  std::remove(ledger.c_str());
  out.rate.push_back(throughput(Server(work), text));
  std::remove(ledger.c_str());
}

void measure_all(const std::string& ledger, const std::string& sampler) {
  const Text text = make_text();
  const char* const names[] = {"bare loop", "without a ledger", "with a ledger"};
  Measured measured[3];
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    measure(text, ledger, work_bare, measured[0]);
    measure(
        text, ledger, [&](int in, int out) { work(in, out, sampler, ""); }, measured[1]);
    measure(
        text, ledger, [&](int in, int out) { work(in, out, sampler, ledger); }, measured[2]);
  }
  std::printf(
      "%s; medians of %d: microseconds to an answer, instances per second, their time divided by that of the "
      "bare loop\n",
      sampler.c_str(), repetitions);
  std::printf("%-18s %8s %8s %12s %7s\n", "", "p50", "p99", "instances/s", "ratio");
  for (int k = 0; k < 3; ++k) {
    std::printf("%-18s %8.1f %8.1f %12.0f %7.2f\n", names[k], bench::median(measured[k].p50),
                bench::median(measured[k].p99), bench::median(measured[k].rate),
                bench::median(measured[0].rate) / bench::median(measured[k].rate));
  }
}

}  // namespace
}  // namespace askfew

int main(int argc, char** argv) {
  askfew::measure_all(argc > 1 ? argv[1] : "bench.ledger", argc > 2 ? argv[2] : "pa-log");
  return 0;
}
