#include "askfew/service/project_folder.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"
#include "askfew/system/atomic_file.h"

namespace askfew {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The members of the counts by their names.
template <class Counts, class Visit>
void for_each_count(Counts& counts, const Visit& visit) {
  visit("rounds", counts.rounds);
  visit("asked", counts.asked);
  visit("answered", counts.answered);
  visit("skipped", counts.skipped);
  visit("held", counts.held);
  visit("pending", counts.pending);
  visit("kept", counts.kept);
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw FileError(fmt::format("{}: cannot make the folder: {}", path, error.message()));
}

}  // namespace

ProjectFolder::ProjectFolder(std::string path, std::shared_ptr<const LedgerCollection> ledgers)
    : path_(std::move(path)), ledgers_(std::move(ledgers)) {
  make_folder(path_ + "/projects");
}

ProjectFolder::ProjectFolder(std::string path) : path_(std::move(path)) {
  make_folder(path_ + "/projects");
  const std::string lock = path_ + "/lock";
  constexpr int mode = 0600;
  lock_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, mode);
  if (lock_ < 0) throw FileError(fmt::format("{}: {}", lock, std::strerror(errno)));
  if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(lock_);
  throw FileError(error == EWOULDBLOCK ? path_ + ": another process serves this folder"
                                       : fmt::format("{}: {}", lock, std::strerror(error)));
}

ProjectFolder::~ProjectFolder() {
  if (lock_ >= 0) close(lock_);
}

std::string ProjectFolder::folder_of(const std::string& id) const {
  return path_ + "/projects/" + id;
}

LedgerPlace ProjectFolder::ledger_of(const std::string& id) const {
  return ledgers_ == nullptr ? LedgerPlace(folder_of(id) + "/ledger") : ledgers_->place_of(id);
}

std::map<std::string, ProjectSettings> ProjectFolder::read_all() const {
  std::map<std::string, ProjectSettings> all;
  for (const auto& entry : fs::directory_iterator(path_ + "/projects")) {
    const std::string id = entry.path().filename();
    const std::string place = folder_of(id) + "/settings.json";
    if (!is_slug(id) || !fs::exists(place)) continue;
    std::ifstream file(place);
    const json object = try_parse_json(file);
    try {
      read_settings(object, all[id]);
      check(all[id]);
    } catch (const ConfigError& error) {
      throw DataError({.why = error.what(), .file = place});
    }
  }
  return all;
}

std::string ProjectFolder::create(const ProjectSettings& settings) {
  check(settings);
  const std::string slug = slug_of(settings.name);
  std::string id = slug;
  constexpr std::size_t room = 58;  // for the number behind a long name
  for (int k = 2; fs::exists(folder_of(id)); ++k) id = fmt::format("{}-{}", slug.substr(0, room), k);
  make_folder(folder_of(id));
  try {
    Project project({.ledger = ledger_of(id), .settings = settings});
    if (!settings.annotators.empty()) project.change_settings("", {{"annotators", settings.annotators}});
    project.commit(true);
    write(id, settings);
  } catch (...) {
    remove_begun(id);
    throw;
  }
  return id;
}

void ProjectFolder::remove_begun(const std::string& id) const {
  try {
    ledger_of(id).remove();
  } catch (const FileError&) {
    return;  // then the folder stays, and its name is not used again
  }
  std::error_code ignored;
  fs::remove(folder_of(id), ignored);
}

void ProjectFolder::keep_counts(const std::string& id, const ProjectCounts& counts) const {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(ledger_of(id).path(), error);
  if (error) return;
  json kept{{"ledger_bytes", bytes}};
  for_each_count(counts, [&](const char* name, std::uint64_t count) { kept[name] = count; });
  std::ofstream(folder_of(id) + "/counts.json") << json_text(kept) << '\n';
}

std::optional<ProjectCounts> ProjectFolder::kept_counts(const std::string& id) const {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(ledger_of(id).path(), error);
  std::ifstream file(folder_of(id) + "/counts.json");
  const json kept = try_parse_json(file);
  const auto number_of = [&](const char* name) {
    const auto found = kept.is_object() ? kept.find(name) : kept.end();
    return found != kept.end() && found->is_number_unsigned() ? std::optional(found->get<std::uint64_t>())
                                                              : std::nullopt;
  };
  if (error || number_of("ledger_bytes") != bytes) return std::nullopt;
  ProjectCounts counts;
  bool is_whole = true;
  for_each_count(counts, [&](const char* name, std::uint64_t& count) {
    const std::optional<std::uint64_t> number = number_of(name);
    is_whole &= number.has_value();
    count = number.value_or(0);
  });
  return is_whole ? std::optional(counts) : std::nullopt;
}

void ProjectFolder::write(const std::string& id, const ProjectSettings& settings) const {
  AtomicFile file(folder_of(id) + "/settings.json");
  file.stream() << json_text(json_of(settings), 2) << '\n';
  file.commit();
}

}  // namespace askfew
