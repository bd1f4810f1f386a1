#include "apps/server/json_body.h"
#include "apps/server/project_api.h"

namespace askfew::server {
namespace {

/// The answers as they came, or as the array of an object.
Response answers_response(const BodyLines& lines, const std::string& answers) {
  std::string body = lines.is_array ? "{\"answers\":[" : "";
  bool is_first = true;
  for (std::size_t from = 0; from < answers.size();) {
    const std::size_t end = answers.find('\n', from);
    if (!lines.is_array && !is_first) break;  // only the answer, without the changes behind it
    if (!is_first) body += ',';
    is_first = false;
    body.append(answers, from, end - from);
    from = end + 1;
  }
  body += lines.is_array ? "]}" : "";
  return {.status = 200,
          .type = "application/json",
          .body = body.empty() ? "{}" : std::move(body),
          .headers = {},
          .file = {},
          .leases = {}};
}

using AnswersLines = void (Project::*)(std::span<const std::string_view> lines, std::string& answers);

/// The answers of the project to the instances of the body.
Response answers_to(const Call& call, Project& project, AnswersLines answer) {
  const BodyLines lines = lines_of_json(call.request.body);
  std::string answers;
  (project.*answer)(lines.lines, answers);
  return answers_response(lines, answers);
}

}  // namespace

Response post_instances(Project& project, const Call& call) {
  return answers_to(call, project, &Project::take_lines);
}

Response post_pool(Project& project, const Call& call) {
  return answers_to(call, project, &Project::keep_lines);
}

Response post_predictions(Project& project, const Call& call) {
  return answers_to(call, project, &Project::predict);
}

}  // namespace askfew::server
