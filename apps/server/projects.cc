#include "apps/server/projects.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <unistd.h>
#include <utility>

namespace askfew::server {
namespace {

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Bytes of memory that the program uses.
std::uint64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// The ledger of so many rounds is read again in less than about half a second.
constexpr std::uint64_t small_project = 20'000;

}  // namespace

Projects::Projects(const std::string& folder, const ProjectsOptions& options,
                   std::map<std::string, Leases> leases, Deliver deliver,
                   std::function<void(const std::string& id)> changed)
    : options_(options),
      folder_(options.ledgers == nullptr ? ProjectFolder(folder) : ProjectFolder(folder, options.ledgers)),
      deliver_(std::move(deliver)),
      changed_(std::move(changed)) {
  for (auto& [id, settings] : folder_.read_all()) {
    auto host = std::make_unique<Host>();
    host->id = id;
    host->settings = settings;
    host->leases = std::move(leases[id]);
    host->counts = folder_.kept_counts(id);
    hosts_[id] = std::move(host);
  }
  for (unsigned k = 0; k < options_.threads; ++k) threads_.emplace_back([this] { work_loop(); });
}

Projects::~Projects() {
  stop();
}

void Projects::work_loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return is_ending_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

void Projects::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void Projects::run(const std::string& id, Work work, Done done, bool is_use) {
  Host* host = nullptr;
  {
    const std::lock_guard lock(mutex_);
    host = hosts_.at(id).get();
    host->jobs.push_back({std::move(work), std::move(done), is_use});
    if (std::exchange(host->is_running, true)) return;
  }
  post([this, host] { run_all_jobs(*host); });
}

void Projects::run_apart(std::function<void()> work, Done done) {
  post([this, work = std::move(work), done = std::move(done)] {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    deliver_([done, failure] { done(failure); });
  });
}

std::exception_ptr Projects::open(Host& host) {
  if (host.project != nullptr) return nullptr;
  ProjectOptions options{.ledger = folder_.ledger_of(host.id),
                         .settings = {},
                         .max_memory = options_.max_memory,
                         .lease = options_.lease,
                         .patience = options_.patience};
  Leases leases;
  {
    const std::lock_guard lock(mutex_);
    options.settings = host.settings;
    leases = host.leases;
  }
  try {
    host.project = std::make_unique<Project>(options);
  } catch (...) {
    return std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    ++times_.open;
    host.settings = host.project->settings();  // the ledger knows changes that a crash kept from the file
  }
  make_room();
  for (const auto& [question, people] : leases) {
    if (host.project->desk().find(question) == nullptr) continue;
    // A lease is not longer than a new one, even if the clock was set back meanwhile.
    for (const auto& [person, until] : people)
      host.project->desk().set_lease(question, person, std::min(until, host.project->now() + options_.lease));
  }
  return nullptr;
}

/// Does the work that has piled up, then writes and syncs once, then acknowledges.
void Projects::run_jobs(Host& host) {
  std::deque<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
    jobs.swap(host.jobs);
    if (std::ranges::any_of(jobs, &Job::is_use)) host.last_use = seconds_now();
    if (host.project != nullptr) host.project->set_settings(host.settings);
  }
  const std::exception_ptr unopened = open(host);
  std::vector<std::exception_ptr> failures(jobs.size(), unopened);
  double seconds = 0;
  std::optional<ProjectCounts> counts;
  std::optional<Figures> figures;
  if (!unopened) {
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      try {
        jobs[k].work(*host.project);
      } catch (...) {
        failures[k] = std::current_exception();
      }
    }
    const auto start = std::chrono::steady_clock::now();
    try {
      host.project->commit(options_.sync);
      counts = host.project->counts();
      figures = figures_of(host);
    } catch (...) {
      // The state of the disk is unknown: nothing is acknowledged, and the ledger is read again.
      std::fill(failures.begin(), failures.end(), std::current_exception());
      host.project.reset();
      const std::lock_guard lock(mutex_);
      --times_.open;
    }
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  bool has_changed = false;
  {
    const std::lock_guard lock(mutex_);
    ++times_.groups;
    times_.works += jobs.size();
    if (!unopened) times_.commits.add(seconds);
    if (figures) host.figures = figures;
    has_changed = counts.has_value() && counts != host.counts;
    if (counts) host.counts = counts;
  }
  deliver_([this, &host, jobs = std::move(jobs), failures = std::move(failures), has_changed] {
    for (std::size_t k = 0; k < jobs.size(); ++k) jobs[k].done(failures[k]);
    if (has_changed) changed_(host.id);
  });
}

void Projects::run_all_jobs(Host& host) {
  do {
    run_jobs(host);
  } while (has_jobs(host));
}

std::optional<Projects::Figures> Projects::figures_of(Host& host) {
  if (std::exchange(host.figures_time, host.last_use) == host.last_use) return std::nullopt;
  Figures figures{.budget = host.project->budget()};
  // Topics have an estimate each, which the report has.
  const Session& session = host.project->session();
  if (!session.has_topics() && !session.monitors().empty())
    figures.quality = session.monitors()[0].watch().estimate().whole();
  return figures;
}

/// Other work that waits comes first: then the jobs stand behind it, and this thread takes the first of all.
/// (Before it is asked again, a group of the jobs is done: two hosts never wait for each other.)
bool Projects::has_jobs(Host& host) {
  const std::lock_guard lock(mutex_);
  if (host.jobs.empty()) {
    host.is_running = false;
    return false;
  }
  if (tasks_.empty()) return true;
  tasks_.emplace_back([this, &host] { run_all_jobs(host); });
  return false;
}

std::map<std::string, ProjectSettings> Projects::settings() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, ProjectSettings> all;
  for (const auto& [id, host] : hosts_) all[id] = host->settings;
  return all;
}

bool Projects::contains(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  return hosts_.contains(id);
}

std::optional<ProjectSettings> Projects::settings_of(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = hosts_.find(id);
  if (found == hosts_.end()) return std::nullopt;
  return found->second->settings;
}

std::optional<ProjectCounts> Projects::counts_of(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = hosts_.find(id);
  return found == hosts_.end() ? std::nullopt : found->second->counts;
}

std::map<std::string, Projects::Seen> Projects::seen() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, Seen> all;
  for (const auto& [id, host] : hosts_)
    all[id] = {.settings = host->settings, .counts = host->counts, .figures = host->figures};
  return all;
}

std::string Projects::create(const ProjectSettings& settings) {
  const std::lock_guard one_at_a_time(creating_);
  const std::string id = folder_.create(settings);
  auto host = std::make_unique<Host>();
  host->id = id;
  host->settings = settings;
  host->counts = ProjectCounts{};
  const std::lock_guard lock(mutex_);
  hosts_[id] = std::move(host);
  return id;
}

void Projects::change(const std::string& id, const ProjectSettings& settings) {
  const std::lock_guard one_at_a_time(creating_);
  folder_.write(id, settings);
  const std::lock_guard lock(mutex_);
  hosts_.at(id)->settings = settings;
}

void Projects::close(Host& host) {
  if (host.project == nullptr) return;
  Leases leases = host.project->desk().leases();
  const ProjectCounts counts = host.project->counts();
  try {
    host.project->rest();
    host.project->commit(options_.sync);
  } catch (const std::exception&) {
    // Only a checkpoint is missing: the lines were committed before.
  }
  host.project.reset();
  folder_.keep_counts(host.id, counts);
  const std::lock_guard lock(mutex_);
  host.leases = std::move(leases);
  host.counts = counts;
  --times_.open;
}

void Projects::learn_held(Host& host) {
  try {
    host.project->learn_held();
    host.project->commit(options_.sync);
  } catch (const std::exception&) {
    // The held answers are in the ledger, and are learned after the project is opened again.
  }
}

std::vector<Projects::Host*> Projects::idle_hosts(std::int64_t before, std::uint64_t max_rounds) const {
  std::vector<Host*> idle;
  const std::lock_guard lock(mutex_);
  for (const auto& [id, host] : hosts_) {
    const bool is_small = !host->counts || host->counts->rounds <= max_rounds;
    if (!host->is_running && host->project != nullptr && host->last_use < before && is_small)
      idle.push_back(host.get());
  }
  std::ranges::sort(idle, {}, &Host::last_use);
  return idle;
}

void Projects::make_room() {
  if (options_.open_memory == 0 || resident_memory() <= options_.open_memory) return;
  const std::vector<Host*> idle = idle_hosts(seconds_now(), small_project);
  std::size_t some = idle.size() / 8 + 1;  // then look again
  for (Host* host : idle) {
    close_if_idle(*host);
    if (--some == 0) break;
  }
  run_apart([] { malloc_trim(0); }, [](const std::exception_ptr&) {});
}

void Projects::learn_old_answers() {
  constexpr std::size_t most = 10;  // closed projects at a time
  const std::int64_t now = seconds_now();
  std::vector<std::string> ids;
  {
    const std::lock_guard lock(mutex_);
    std::size_t closed = 0;
    for (const auto& [id, host] : hosts_) {
      if (host->is_running || !host->counts || host->counts->held == 0) continue;
      const bool is_late = host->last_use + options_.patience / 1'000'000 < now;
      if (host->project != nullptr || (is_late && ++closed <= most)) ids.push_back(id);
    }
  }
  for (const std::string& id : ids) {
    run(
        id, [](Project& project) { project.tidy(); }, [](const std::exception_ptr&) {}, false);
  }
}

void Projects::tidy() {
  make_room();  // first: a project whose answers are looked at is in use
  learn_old_answers();
  const std::vector<Host*> idle = idle_hosts(seconds_now() + 1, std::numeric_limits<std::uint64_t>::max());
  for (std::size_t k = 0; k + options_.max_open < idle.size(); ++k) close_if_idle(*idle[k]);
}

void Projects::close_if_idle(Host& host) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(host.is_running, true)) return;
  }
  post([this, &host] {
    close(host);
    if (has_jobs(host)) run_all_jobs(host);
  });
}

void Projects::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return;
    is_ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();  // after all tasks
  for (const auto& [id, host] : hosts_) {
    if (host->project == nullptr && host->counts && host->counts->held > 0) static_cast<void>(open(*host));
    if (host->project != nullptr) learn_held(*host);
    close(*host);
  }
}

Projects::Times Projects::times() const {
  const std::lock_guard lock(mutex_);
  Times times = times_;
  for (const auto& [id, host] : hosts_) times.waiting += host->jobs.size();
  return times;
}

}  // namespace askfew::server
