#include "apps/cli/reports/jobs_progress.h"

#include <cmath>
#include <cstdio>
#include <fmt/core.h>
#include <unistd.h>
#include <utility>

#include "apps/cli/reports/terminal_hooks.h"

namespace askfew::cli {
namespace {

std::string text_of_seconds(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  return fmt::format("{:.0f} min", std::ceil(seconds / 60));
}

}  // namespace

JobsProgress::JobsProgress(std::string name, bool quiet)
    : name_(std::move(name)), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

JobsProgress::~JobsProgress() {
  clear();
}

void JobsProgress::clear() const {
  if (terminal_ && printed_) fmt::print(stderr, "\r{:78}\r", "");
}

void JobsProgress::listen(JobHooks& hooks) {
  hooks.progress = [this](const JobsDone& done) { (*this)(done); };
  hooks.doubt = [this](const std::string& sentence) {
    clear();
    print_notes({sentence});
  };
}

void JobsProgress::operator()(const JobsDone& done) {
  const Clock::time_point now = Clock::now();
  if (!begun_ || done.cost < cost_) begun_ = {now, done.cost};  // the first, or other jobs than before
  cost_ = done.cost;
  const auto between = terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(20);
  if (quiet_ || (printed_ && now - last_ < between)) return;
  last_ = now;
  printed_ = true;
  const double seconds = std::chrono::duration<double>(now - begun_->time).count();
  const double cost = done.cost - begun_->cost;
  const double left = cost > 0 ? seconds * (done.of_cost - done.cost) / cost : 0;
  fmt::print(stderr, "{}{}: {} of {} jobs{}{}", terminal_ ? "\r" : "", name_, done.jobs, done.of_jobs,
             cost > 0 ? fmt::format(", about {} left", text_of_seconds(left)) : "",
             terminal_ ? "                 " : "\n");
  static_cast<void>(std::fflush(stderr));
}

}  // namespace askfew::cli
