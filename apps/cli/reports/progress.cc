#include "apps/cli/reports/progress.h"

#include <cstdio>
#include <fmt/core.h>
#include <iostream>
#include <unistd.h>

#include "askfew/config/printable.h"

#include "apps/cli/reports/estimate_report.h"

namespace askfew::cli {
namespace {

constexpr auto between_redraws = std::chrono::milliseconds(100);

std::string lines_of(const RunProgress& run) {
  std::string lines;
  for (const TaskChange& change : run.changes) {
    lines += fmt::format("change{}: {}\n", run.tasks > 1 ? " in " + printable(change.task) : "",
                         text_of(change.change));
  }
  return lines;
}

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::operator()(const RunProgress& run) {
  print(run);
  if (run.changes.empty()) return;
  clear();
  std::cerr << lines_of(run);
}

void Progress::print(const RunProgress& run) {
  if (terminal_) {
    const auto now = std::chrono::steady_clock::now();
    if (printed_ && now - last_ < between_redraws) return;
    last_ = now;
    fmt::print(stderr, "\r");
    print_line(run);
  } else if (run.rounds >= next_) {
    if (!printed_)
      fmt::print(stderr, "{:>10} {:>10} {:>7} {:>9} {:>6}\n", "rounds", "asked", "share", "mistakes", "F");
    print_line(run);
    fmt::print(stderr, "\n");
    next_ *= 2;
  }
  printed_ = true;
}

void Progress::clear() const {
  if (terminal_ && printed_)
    static_cast<void>(std::fputs(("\r" + std::string(60, ' ') + "\r").c_str(), stderr));
}

void Progress::finish() {
  clear();
  printed_ = false;
}

void Progress::print_line(const RunProgress& run) {
  const Totals& all = run.totals;
  const double share = static_cast<double>(all.asked) / static_cast<double>(all.rounds);
  if (terminal_) {
    fmt::print(stderr, "{} rounds, {} labels asked ({:.2f}%), F {:.3f} ", run.rounds, all.asked, 100 * share,
               all.f1);
    static_cast<void>(std::fflush(stderr));
  } else {
    fmt::print(stderr, "{:>10} {:>10} {:>6.2f}% {:>9} {:>6.3f}", run.rounds, all.asked, 100 * share,
               all.mistakes, all.f1);
  }
}

}  // namespace askfew::cli
