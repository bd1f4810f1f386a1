#pragma once

#include "apps/server/projects.h"
#include "apps/server/routed.h"

namespace askfew::server {

/// Labels or decisions of a project as a file. THROWS: Problem. REQUIRES: the projects stay until the answer
/// is made.
Routed route_export(const Projects& projects, const Call& call);

}  // namespace askfew::server
