#include "apps/server/metrics.h"

#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <optional>

namespace askfew::server {
namespace {

/// One figure of every project that has it.
struct ProjectGauge {
  const char* name;
  std::function<std::optional<double>(const Projects::Seen&)> value;
};

std::optional<double> count_in(const Projects::Seen& seen, std::uint64_t ProjectCounts::*count) {
  return seen.counts ? std::optional(static_cast<double>(*seen.counts.*count)) : std::nullopt;
}

/// A figure of an estimated quality; of classes there is only the error.
std::optional<double> estimated(const Projects::Seen& seen, Estimated Quality::*figure,
                                double (*part)(const Estimated&)) {
  if (!seen.figures || !seen.figures->quality) return std::nullopt;
  if (seen.settings.kind == "classes" && figure == &Quality::f1) return std::nullopt;
  return part((*seen.figures->quality).*figure);
}

const std::vector<ProjectGauge>& project_gauges() {
  using Seen = Projects::Seen;
  constexpr auto value = [](const Estimated& one) { return one.value; };
  constexpr auto low = [](const Estimated& one) { return one.interval.low; };
  constexpr auto high = [](const Estimated& one) { return one.interval.high; };
  const auto budget = [](const Seen& seen) { return seen.figures ? seen.figures->budget : std::nullopt; };
  static const std::vector<ProjectGauge> gauges{
      {"rounds", [](const Seen& seen) { return count_in(seen, &ProjectCounts::rounds); }},
      {"asked", [](const Seen& seen) { return count_in(seen, &ProjectCounts::asked); }},
      {"answered", [](const Seen& seen) { return count_in(seen, &ProjectCounts::answered); }},
      {"skipped", [](const Seen& seen) { return count_in(seen, &ProjectCounts::skipped); }},
      {"held", [](const Seen& seen) { return count_in(seen, &ProjectCounts::held); }},
      {"pending", [](const Seen& seen) { return count_in(seen, &ProjectCounts::pending); }},
      {"kept", [](const Seen& seen) { return count_in(seen, &ProjectCounts::kept); }},
      {"budget_labels",
       [=](const Seen& seen) { return budget(seen) ? std::optional(budget(seen)->labels) : std::nullopt; }},
      {"budget_spent",
       [=](const Seen& seen) {
         return budget(seen) ? std::optional(static_cast<double>(budget(seen)->spent)) : std::nullopt;
       }},
      {"error", [=](const Seen& seen) { return estimated(seen, &Quality::error, value); }},
      {"error_low", [=](const Seen& seen) { return estimated(seen, &Quality::error, low); }},
      {"error_high", [=](const Seen& seen) { return estimated(seen, &Quality::error, high); }},
      {"f1", [=](const Seen& seen) { return estimated(seen, &Quality::f1, value); }},
      {"f1_low", [=](const Seen& seen) { return estimated(seen, &Quality::f1, low); }},
      {"f1_high", [=](const Seen& seen) { return estimated(seen, &Quality::f1, high); }}};
  return gauges;
}

}  // namespace

std::string Metrics::text(const Projects& projects) const {
  std::string out;
  const auto add = [&]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
  };
  add("# TYPE askfew_requests_total counter\n");
  for (const auto& [status, count] : by_status_)
    add("askfew_requests_total{{status=\"{}\"}} {}\n", status, count);
  requests_.append_to(out, "askfew_request_seconds");
  add("# TYPE askfew_connections gauge\naskfew_connections {}\n", connections_);
  add("# TYPE askfew_connections_refused_total counter\naskfew_connections_refused_total {}\n", refused_);
  const Projects::Times times = projects.times();
  add("# TYPE askfew_work_total counter\naskfew_work_total {}\n", times.works);
  add("# TYPE askfew_work_waiting gauge\naskfew_work_waiting {}\n", times.waiting);
  times.commits.append_to(out, "askfew_commit_seconds");
  add("# TYPE askfew_open_projects gauge\naskfew_open_projects {}\n", times.open);
  const std::map<std::string, Projects::Seen> all = projects.seen();
  for (const ProjectGauge& gauge : project_gauges()) {
    add("# TYPE askfew_project_{} gauge\n", gauge.name);
    for (const auto& [id, seen] : all) {
      if (const auto value = gauge.value(seen))
        add("askfew_project_{}{{project=\"{}\"}} {}\n", gauge.name, id, *value);
    }
  }
  add("# TYPE askfew_ledger_bytes gauge\n");
  for (const auto& [id, seen] : all) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(projects.ledger_of(id).path(), error);
    if (!error) add("askfew_ledger_bytes{{project=\"{}\"}} {}\n", id, bytes);
  }
  return out;
}

}  // namespace askfew::server
