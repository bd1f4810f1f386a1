#pragma once

#include <string>

#include "askfew/workflows/bound.h"

namespace askfew::cli {

/// For people: a table per task.
std::string text_of(const BoundResult& result);

}  // namespace askfew::cli
