#include "papers/rcv1_stories.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>

#include "askfew/core/errors.h"
#include "askfew/system/process.h"

#include "papers/datasets.h"

namespace askfew {
namespace {

namespace fs = std::filesystem;

fs::path stories_in(const std::string& folder) {
  return fs::path(folder) / "rcv1" / "rcv1_40000.svm.gz";
}

/// Where scikit-learn keeps its data sets; empty if unknown.
fs::path scikit_learn_folder() {
  if (const char* given = std::getenv("SCIKIT_LEARN_DATA"); given != nullptr && *given != 0) return given;
  const char* home = std::getenv("HOME");
  return home == nullptr ? fs::path() : fs::path(home) / "scikit_learn_data";
}

}  // namespace

std::string rcv1_stories_path(const std::string& folder) {
  const fs::path path = stories_in(folder);
  return fs::exists(path) ? path.string() : "";
}

void get_rcv1_stories(const std::string& folder, const std::atomic<bool>* stop) {
  const fs::path target = fs::absolute(stories_in(folder));
  const std::string command = fmt::format("python3 -m askfew.rcv1 {}", target.string());
  const fs::path kept = scikit_learn_folder() / "RCV1" / "samples_py3.pkl";
  if (!fs::exists(kept)) {
    throw ConfigError(fmt::format(
        "no public package has the subsets of rcv1: {}\nscikit-learn can fetch the papers' 40,000 "
        "stories (650 MB): {} --download",
        how_to_get(data_source("rcv1"), folder), command));
  }
  const int code = run_process({.arguments = {"python3", "-m", "askfew.rcv1", target.string()}}, stop);
  if (code == 0 && fs::exists(target)) return;
  throw FileError(fmt::format("cannot get the stories of rcv1 from {}: {}", kept.string(),
                              stop != nullptr && *stop
                                  ? "interrupted"
                                  : fmt::format("this command fails, with askfew and scikit-learn installed "
                                                "for python3 it would not: {}",
                                                command)));
}

}  // namespace askfew
