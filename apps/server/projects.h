#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "askfew/service/project_folder.h"

#include "apps/server/accounts.h"
#include "apps/server/histogram.h"

namespace askfew::server {

struct ProjectsOptions {
  unsigned threads = 2;
  bool sync = true;             ///< acknowledge only what the disk holds
  std::size_t max_open = 1000;  ///< more projects than these are closed when nobody uses them
  /// Of the whole program: above it, small projects that nobody uses are closed; 0: any.
  std::uint64_t open_memory = 0;
  std::uint64_t max_memory = 0;                 ///< of one project
  std::int64_t lease = 0;                       ///< in microseconds
  std::int64_t patience = 0;                    ///< in microseconds: held answers are learned after it
  std::shared_ptr<LedgerCollection> ledgers{};  ///< null: files in the folder
};

/// The projects of a folder. The work on one project is done by one thread at a time, in the order of its
/// arrival; work that has piled up is synced to the disk once (a group commit) before any of it is
/// acknowledged. A project that nobody uses costs no thread. Any thread may call the members.
class Projects {
 public:
  /// Calls what it is given once, in the thread that waits for work. All of a group is delivered together.
  using Deliver = std::function<void(std::function<void()>)>;
  /// `changed`: delivered after the counts of a project have changed. THROWS: FileError, DataError.
  Projects(const std::string& folder, const ProjectsOptions& options, std::map<std::string, Leases> leases,
           Deliver deliver, std::function<void(const std::string& id)> changed);
  ~Projects();
  Projects(const Projects&) = delete;
  Projects& operator=(const Projects&) = delete;
  Projects(Projects&&) = delete;
  Projects& operator=(Projects&&) = delete;

  using Work = std::function<void(Project&)>;
  /// The exception of the work, or of writing its records; null: all is well and written.
  using Done = std::function<void(const std::exception_ptr&)>;
  /// Another thread does the work; `done` is delivered. Work that nobody waits for does not count as use of
  /// the project. REQUIRES: the project exists.
  void run(const std::string& id, Work work, Done done, bool is_use = true);
  /// Work that needs no project in memory.
  void run_apart(std::function<void()> work, Done done);

  [[nodiscard]] std::map<std::string, ProjectSettings> settings() const;
  [[nodiscard]] bool contains(const std::string& id) const;
  [[nodiscard]] std::optional<ProjectSettings> settings_of(const std::string& id) const;
  /// The counts at the end of the last work; nothing: the project was not opened yet.
  [[nodiscard]] std::optional<ProjectCounts> counts_of(const std::string& id) const;
  /// What takes a moment to compute: it is at most a second old, or as old as the last work.
  struct Figures {
    std::optional<BudgetState> budget{};
    std::optional<Quality> quality{};
  };
  struct Seen {
    ProjectSettings settings{};
    std::optional<ProjectCounts> counts{};
    std::optional<Figures> figures{};
  };
  [[nodiscard]] std::map<std::string, Seen> seen() const;
  /// THROWS: ConfigError, FileError.
  std::string create(const ProjectSettings& settings);
  /// THROWS: FileError.
  void change(const std::string& id, const ProjectSettings& settings);
  [[nodiscard]] LedgerPlace ledger_of(const std::string& id) const { return folder_.ledger_of(id); }
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }

  /// Learns answers that are held too long; closes projects that nobody uses, if there are too many or if
  /// they take too much memory. The next work on a closed project opens it again.
  void tidy();
  /// Learns all held answers and closes all projects. No more work may be added.
  void stop();

  struct Times {
    std::uint64_t groups = 0;   ///< groups of work
    std::uint64_t works = 0;    ///< works in them
    std::uint64_t waiting = 0;  ///< works that have not begun
    std::uint64_t open = 0;     ///< projects in memory
    Histogram commits{};        ///< times of writing and syncing
  };
  [[nodiscard]] Times times() const;

 private:
  struct Job {
    Work work;
    Done done;
    bool is_use = true;
  };
  struct Host {
    std::string id;
    ProjectSettings settings;
    Leases leases;
    std::deque<Job> jobs;
    bool is_running = false;
    std::int64_t last_use = 0;
    std::optional<ProjectCounts> counts;
    std::optional<Figures> figures;
    std::int64_t figures_time = 0;
    std::unique_ptr<Project> project;  // only the running thread uses it
  };

  void work_loop();
  void post(std::function<void()> task);
  void run_jobs(Host& host);
  /// As long as there are jobs. REQUIRES: this thread runs the host, and there are jobs.
  void run_all_jobs(Host& host);
  /// False: this thread no longer runs the host.
  [[nodiscard]] bool has_jobs(Host& host);
  /// The projects in memory that nobody uses, last used before this second and with at most so many rounds,
  /// the least recently used first.
  [[nodiscard]] std::vector<Host*> idle_hosts(std::int64_t before, std::uint64_t max_rounds) const;
  /// Learns what is held too long; opens a closed project for it.
  void learn_old_answers();
  /// Closes some small projects if the program takes too much memory.
  void make_room();
  void close_if_idle(Host& host);
  std::exception_ptr open(Host& host);
  /// Takes a project out of memory. REQUIRES: this thread runs the host.
  void close(Host& host);
  void learn_held(Host& host);
  /// Nothing if they were computed in this second. REQUIRES: this thread runs the host.
  static std::optional<Figures> figures_of(Host& host);

  ProjectsOptions options_;
  ProjectFolder folder_;
  Deliver deliver_;
  std::function<void(const std::string&)> changed_;
  mutable std::mutex mutex_;  // guards everything below, and all of a host but its project
  std::condition_variable wake_;
  std::map<std::string, std::unique_ptr<Host>> hosts_;
  std::deque<std::function<void()>> tasks_;
  Times times_;
  bool is_ending_ = false;
  std::mutex creating_;
  std::vector<std::thread> threads_;
};

}  // namespace askfew::server
