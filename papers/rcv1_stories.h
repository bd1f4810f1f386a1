#pragma once

#include <atomic>
#include <string>

namespace askfew {

/// The first 40,000 stories of RCV1-v2, which the papers use. RCV1 is licensed, but scikit-learn's fetch_rcv1
/// has its vectors; the Python package of askfew writes them as svmlight text.
/// The path of the file in the folder of the data sets; empty if it is not there.
std::string rcv1_stories_path(const std::string& folder);

/// Writes the file from the files that scikit-learn has kept. THROWS: ConfigError that tells the commands, if
/// scikit-learn has kept none; FileError if the Python package fails or `stop` is set.
void get_rcv1_stories(const std::string& folder, const std::atomic<bool>* stop);

}  // namespace askfew
