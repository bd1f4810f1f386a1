#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "askfew/ledger/ledger_collection.h"
#include "askfew/service/project.h"
#include "askfew/service/project_settings.h"

// Threads: a ProjectFolder is for one thread at a time, but for ledger_of and the counts of different
// projects.

namespace askfew {

/// A folder of projects: each has a folder with its settings (settings.json) and its ledger (ledger), unless
/// the ledgers are a collection elsewhere.
class ProjectFolder {
 public:
  /// Creates the folder if it is not there, and locks it: one process at a time. THROWS: FileError.
  explicit ProjectFolder(std::string path);
  /// With ledgers elsewhere, whose lock is that of the folder, too. REQUIRES: this process has taken them,
  /// and they are bound to the folder (bind_ledgers). THROWS: FileError.
  ProjectFolder(std::string path, std::shared_ptr<const LedgerCollection> ledgers);
  ~ProjectFolder();
  ProjectFolder(const ProjectFolder&) = delete;
  ProjectFolder& operator=(const ProjectFolder&) = delete;
  ProjectFolder(ProjectFolder&&) = delete;
  ProjectFolder& operator=(ProjectFolder&&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The settings of all projects, by id. THROWS: FileError, DataError for settings that cannot be read.
  [[nodiscard]] std::map<std::string, ProjectSettings> read_all() const;
  /// Makes a new project and returns its id. THROWS: ConfigError, FileError; then nothing is left behind.
  std::string create(const ProjectSettings& settings);
  /// THROWS: FileError.
  void write(const std::string& id, const ProjectSettings& settings) const;
  /// REQUIRES: is_slug(id).
  [[nodiscard]] LedgerPlace ledger_of(const std::string& id) const;
  /// Keeps the counts of a project that was closed, so that a list of projects does not need to open it. They
  /// are a hint: if they cannot be written, nothing happens.
  void keep_counts(const std::string& id, const ProjectCounts& counts) const;
  /// The counts that were kept; nothing if the ledger has grown since then, or if it is in no file.
  [[nodiscard]] std::optional<ProjectCounts> kept_counts(const std::string& id) const;

 private:
  [[nodiscard]] std::string folder_of(const std::string& id) const;
  /// After a project could not be made.
  void remove_begun(const std::string& id) const;

  std::string path_;
  std::shared_ptr<const LedgerCollection> ledgers_;  // null: files in the folder
  int lock_ = -1;
};

}  // namespace askfew
