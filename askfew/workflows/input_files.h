#pragma once

#include <vector>

#include "askfew/system/file_places.h"
#include "askfew/workflows/options.h"

namespace askfew {

/// The files that a workflow reads with these options. `check_apart` uses the list, so that no output
/// overwrites an input. THROWS: FileError.
std::vector<FilePlace> input_files(const DataOptions& data);
std::vector<FilePlace> input_files(const DataOptions& data, const ReadingOptions& reading);

}  // namespace askfew
