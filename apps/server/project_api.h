#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "askfew/service/project.h"

#include "apps/server/http.h"

namespace askfew::server {

/// A request to a project by somebody who may make it.
struct Call {
  Request request;
  Account account;
  std::string project;                ///< its id
  std::vector<std::string> segments;  ///< the parts of the path behind the project
};

// The answers of a project; each THROWS Problem and the exceptions of the library.
using ProjectHandler = Response (*)(Project& project, const Call& call);
Response get_project(Project& project, const Call& call);
Response patch_project(Project& project, const Call& call);
Response post_instances(Project& project, const Call& call);
Response post_pool(Project& project, const Call& call);
Response post_predictions(Project& project, const Call& call);
Response get_next(Project& project, const Call& call);
Response post_answers(Project& project, const Call& call);
Response get_answers(Project& project, const Call& call);
Response delete_answer(Project& project, const Call& call);
Response get_pending(Project& project, const Call& call);
Response get_disagreements(Project& project, const Call& call);
Response post_settlement(Project& project, const Call& call);
Response get_report(Project& project, const Call& call);
Response get_history(Project& project, const Call& call);
Response get_model(Project& project, const Call& call);

/// A project in a list, and alone.
nlohmann::json json_of(const std::string& id, const ProjectSettings& settings, const ProjectCounts& counts);
nlohmann::json json_of(const ProjectCounts& counts);
/// A whole number in the query from low to high; `usual` if there is none. THROWS: Problem.
std::int64_t number_in_query(const Request& request, const std::string& name, std::int64_t usual,
                             std::int64_t low, std::int64_t high);
Response json_response(const nlohmann::json& body, int status = 200);

}  // namespace askfew::server
