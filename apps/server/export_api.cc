#include "apps/server/export_api.h"

#include <fmt/core.h>
#include <fstream>
#include <unistd.h>

#include "askfew/core/errors.h"
#include "askfew/service/ledger_export.h"
#include "askfew/service/random_control.h"

namespace askfew::server {
namespace {

Routed route_control(const Projects& projects, const Call& call) {
  Routed routed;
  routed.kind = Routed::Kind::apart;
  routed.call = call;
  routed.make = [&projects, id = call.project] {
    return Response{.status = 200,
                    .type = "application/json",
                    .body = random_control(projects.ledger_of(id)),
                    .headers = {},
                    .file = {},
                    .leases = {}};
  };
  return routed;
}

}  // namespace

Routed route_export(const Projects& projects, const Call& call) {
  if (call.segments[0] == "control") return route_control(projects, call);
  const auto query = call.request.query.find("format");
  const std::string format = query == call.request.query.end() ? "csv" : query->second;
  if (format != "csv" && format != "jsonl") throw Problem{400, "format is csv or jsonl"};
  Routed routed;
  routed.kind = Routed::Kind::apart;
  routed.call = call;
  routed.make = [&projects, call, format] {
    const ProjectSettings settings = projects.settings_of(call.project).value();
    const LabelPlan plan = label_plan_of(settings);
    std::string path = projects.folder() + "/export-XXXXXX";
    const int descriptor = mkstemp(path.data());
    if (descriptor < 0) throw FileError(path + ": cannot be written");
    close(descriptor);
    std::ofstream out(path, std::ios::binary);
    const auto write = [&](std::string_view text) {
      out.write(text.data(), static_cast<std::streamsize>(text.size()));
    };
    const auto export_to = call.segments[0] == "labels" ? export_labels : export_decisions;
    try {
      export_to(projects.ledger_of(call.project), plan,
                format == "csv" ? ExportFormat::csv : ExportFormat::jsonl, write);
      out.close();
      if (!out) throw FileError(path + ": cannot be written");
    } catch (...) {
      unlink(path.c_str());
      throw;
    }
    const std::string name = fmt::format("{}-{}.{}", call.project, call.segments[0], format);
    return Response{.status = 200,
                    .type = format == "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson",
                    .body = {},
                    .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", name)}},
                    .file = path,
                    .leases = {}};
  };
  return routed;
}

}  // namespace askfew::server
