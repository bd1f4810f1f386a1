#include "apps/cli/outputs.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>

#include "askfew/core/errors.h"

namespace askfew::cli {
namespace {

/// Different names of one file are the same place.
std::string place(const std::string& path) {
  std::error_code unknown;
  const auto canonical = std::filesystem::weakly_canonical(path, unknown);
  return path == "-" || unknown ? path : canonical.string();
}

}  // namespace

bool is_device(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::exists(path, ignored) &&
         !std::filesystem::is_regular_file(path, ignored);
}

Outputs::Outputs(std::vector<Wanted> wanted) : wanted_(std::move(wanted)), files_(wanted_.size()) {
  for (std::size_t k = 0; k < wanted_.size(); ++k) {
    if (wanted_[k].path.empty()) continue;
    for (std::size_t j = 0; j < k; ++j) {
      if (wanted_[j].path.empty() || is_device(wanted_[k].path) ||
          place(wanted_[j].path) != place(wanted_[k].path)) {
        continue;
      }
      throw ConfigError(fmt::format("{} and {} cannot both go to '{}'", wanted_[j].option, wanted_[k].option,
                                    wanted_[k].path));
    }
  }
  for (std::size_t k = 0; k < wanted_.size(); ++k) {
    if (!wanted_[k].path.empty()) files_[k].emplace(wanted_[k].path);
  }
}

std::ostream* Outputs::of(const std::string& option) {
  const auto found = std::find_if(wanted_.begin(), wanted_.end(),
                                  [&](const Wanted& output) { return output.option == option; });
  auto& file = files_.at(static_cast<std::size_t>(found - wanted_.begin()));
  return file ? &file->stream() : nullptr;
}

bool Outputs::take_standard_output() const {
  return std::any_of(wanted_.begin(), wanted_.end(), [](const Wanted& output) { return output.path == "-"; });
}

void Outputs::commit() {
  for (auto& file : files_) {
    if (file) file->finish();
  }
  for (auto& file : files_) {
    if (file) file->publish();
  }
}

}  // namespace askfew::cli
