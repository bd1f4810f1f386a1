#include "askfew/system/file_places.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

namespace fs = std::filesystem;

/// The same text for the same file; empty for files that can be shared.
std::string identity_of(const std::string& path, int standard) {
  struct stat status {};
  const bool is_open = path == "-";
  const bool is_there = (is_open ? fstat(standard, &status) : stat(path.c_str(), &status)) == 0;
  if (is_there && S_ISREG(status.st_mode)) return fmt::format("{}:{}", status.st_dev, status.st_ino);
  return is_open || is_there ? "" : without_links(path);
}

std::string text_of(const FilePlace& place) {
  return place.path == "-" ? place.role : fmt::format("{} '{}'", place.role, place.path);
}

bool is_standard_output(const FilePlace& output) {
  return output.path == "-";
}

void check_outputs(std::span<const FilePlace> outputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const std::string identity = identity_of(outputs[k].path, STDOUT_FILENO);
    for (const FilePlace& other : outputs.first(k)) {
      const bool both_standard = is_standard_output(outputs[k]) && is_standard_output(other);
      if (!both_standard && (identity.empty() || identity != identity_of(other.path, STDOUT_FILENO)))
        continue;
      throw ConfigError(
          fmt::format("{} and {} cannot both go to '{}'", other.role, outputs[k].role, outputs[k].path));
    }
  }
}

}  // namespace

std::string without_links(const std::string& path) {
  std::error_code error;
  fs::path at = fs::absolute(path, error);
  constexpr int most_links = 40;  // the limit of the system
  for (int k = 0; k < most_links && fs::is_symlink(at, error); ++k) {
    at = at.parent_path() / fs::read_symlink(at, error);  // an absolute link replaces the folder
  }
  const fs::path folder = fs::weakly_canonical(at.parent_path(), error);
  return error ? path : (folder / at.filename()).string();
}

void check_apart(std::span<const FilePlace> inputs, std::span<const FilePlace> outputs) {
  std::vector<FilePlace> written;
  std::copy_if(outputs.begin(), outputs.end(), std::back_inserter(written),
               [](const FilePlace& output) { return !output.path.empty(); });
  if (std::none_of(written.begin(), written.end(), is_standard_output)) {
    written.push_back({.role = "standard output", .path = "-"});
  }
  check_outputs(written);
  for (const FilePlace& input : inputs) {
    if (input.path.empty()) continue;
    const std::string identity = identity_of(input.path, STDIN_FILENO);
    if (identity.empty()) continue;
    for (const FilePlace& output : written) {
      if (output.role == input.replaced_by || identity != identity_of(output.path, STDOUT_FILENO)) continue;
      throw ConfigError(fmt::format("{} is the same file as {}, which is read: write to another file",
                                    text_of(output), text_of(input)));
    }
  }
}

}  // namespace askfew
