#include "apps/server/metrics.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>

namespace askfew::server {

void Metrics::add(int status, double seconds) {
  ++by_status_[status];
  ++counts_[static_cast<std::size_t>(std::ranges::lower_bound(bounds, seconds) - bounds.begin())];
  seconds_ += seconds;
}

std::string Metrics::text(const Projects& projects) const {
  std::string out;
  const auto add = [&]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
  };
  add("# TYPE askfew_requests_total counter\n");
  for (const auto& [status, count] : by_status_)
    add("askfew_requests_total{{status=\"{}\"}} {}\n", status, count);
  add("# TYPE askfew_request_seconds histogram\n");
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    sum += counts_[k];
    add("askfew_request_seconds_bucket{{le=\"{}\"}} {}\n", bounds[k], sum);
  }
  sum += counts_.back();
  add("askfew_request_seconds_bucket{{le=\"+Inf\"}} {}\naskfew_request_seconds_sum {}\n", sum, seconds_);
  add("askfew_request_seconds_count {}\n", sum);
  add("# TYPE askfew_connections gauge\naskfew_connections {}\n", connections_);
  const Projects::Times times = projects.times();
  add("# TYPE askfew_commits_total counter\naskfew_commits_total {}\n", times.groups);
  add("# TYPE askfew_commit_seconds_total counter\naskfew_commit_seconds_total {}\n", times.sync_seconds);
  add("# TYPE askfew_open_projects gauge\naskfew_open_projects {}\n", times.open);
  for (const char* name : {"rounds", "asked", "answered", "pending"}) {
    add("# TYPE askfew_project_{} gauge\n", name);
    for (const auto& [id, settings] : projects.settings()) {
      const auto counts = projects.counts_of(id);
      if (!counts) continue;
      const std::string_view which = name;
      const std::uint64_t value = which == "rounds"     ? counts->rounds
                                  : which == "asked"    ? counts->asked
                                  : which == "answered" ? counts->answered
                                                        : counts->pending;
      add("askfew_project_{}{{project=\"{}\"}} {}\n", name, id, value);
    }
  }
  add("# TYPE askfew_ledger_bytes gauge\n");
  for (const auto& [id, settings] : projects.settings()) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(projects.ledger_of(id).path(), error);
    if (!error) add("askfew_ledger_bytes{{project=\"{}\"}} {}\n", id, bytes);
  }
  return out;
}

}  // namespace askfew::server
