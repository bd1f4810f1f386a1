#pragma once

#include <string>

#include "askfew/workflows/run.h"

namespace askfew::cli {

/// For people: how many labels were asked, how many saved, accuracy and F.
std::string text_of(const RunResult& result);
/// The same of a model whose run is over.
std::string text_of(const ModelSummary& summary);

}  // namespace askfew::cli
