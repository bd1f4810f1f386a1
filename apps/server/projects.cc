#include "apps/server/projects.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace askfew::server {
namespace {

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Projects::Projects(const std::string& folder, const ProjectsOptions& options,
                   std::map<std::string, Leases> leases, std::function<void(const std::string& id)> changed)
    : options_(options),
      folder_(options.ledgers == nullptr ? ProjectFolder(folder) : ProjectFolder(folder, options.ledgers)),
      changed_(std::move(changed)) {
  for (auto& [id, settings] : folder_.read_all()) {
    auto host = std::make_unique<Host>();
    host->id = id;
    host->settings = settings;
    host->leases = std::move(leases[id]);
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

/// REQUIRES: the mutex is held.
void Projects::post(std::function<void()> task) {
  tasks_.push_back(std::move(task));
  wake_.notify_one();
}

void Projects::run(const std::string& id, Work work, Done done) {
  const std::lock_guard lock(mutex_);
  Host& host = *hosts_.at(id);
  host.jobs.push_back({std::move(work), std::move(done)});
  if (std::exchange(host.is_running, true)) return;
  post([this, &host] { run_jobs(host); });
}

void Projects::run_apart(std::function<void()> work, Done done) {
  const std::lock_guard lock(mutex_);
  post([work = std::move(work), done = std::move(done)] {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    done(failure);
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
  for (const auto& [question, people] : leases) {
    if (host.project->desk().find(question) == nullptr) continue;
    for (const auto& [person, until] : people) host.project->desk().set_lease(question, person, until);
  }
  return nullptr;
}

/// Does the work that has piled up, then writes and syncs once, then acknowledges.
void Projects::run_jobs(Host& host) {
  std::deque<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
    jobs.swap(host.jobs);
    host.last_use = seconds_now();
    if (host.project != nullptr) host.project->set_settings(host.settings);
  }
  const std::exception_ptr unopened = open(host);
  std::vector<std::exception_ptr> failures(jobs.size(), unopened);
  double seconds = 0;
  std::optional<ProjectCounts> counts;
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
    times_.sync_seconds += seconds;
    has_changed = counts.has_value() && counts != host.counts;
    if (counts) host.counts = counts;
  }
  for (std::size_t k = 0; k < jobs.size(); ++k) jobs[k].done(failures[k]);
  if (has_changed && changed_) changed_(host.id);
  go_on(host);
}

void Projects::go_on(Host& host) {
  const std::lock_guard lock(mutex_);
  if (host.jobs.empty()) {
    host.is_running = false;
  } else {
    post([this, &host] { run_jobs(host); });
  }
}

std::map<std::string, ProjectSettings> Projects::settings() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, ProjectSettings> all;
  for (const auto& [id, host] : hosts_) all[id] = host->settings;
  return all;
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

/// Learns the held answers and takes the project out of memory. REQUIRES: this thread runs the host.
void Projects::close(Host& host) {
  if (host.project == nullptr) return;
  try {
    host.project->learn_held();
    host.project->commit(options_.sync);
  } catch (const std::exception&) {
    // The held answers are in the ledger, and are learned after the project is opened again.
  }
  Leases leases = host.project->desk().leases();
  const ProjectCounts counts = host.project->counts();
  host.project.reset();
  const std::lock_guard lock(mutex_);
  host.leases = std::move(leases);
  host.counts = counts;
  --times_.open;
}

void Projects::tidy() {
  std::vector<Host*> idle;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, host] : hosts_) {
      if (!host->is_running && host->project != nullptr) idle.push_back(host.get());
    }
    std::ranges::sort(idle, {}, &Host::last_use);
  }
  std::size_t too_many = idle.size() > options_.max_open ? idle.size() - options_.max_open : 0;
  for (Host* host : idle) {
    if (too_many > 0) {
      --too_many;
      close_if_idle(*host);
    } else if (const auto counts = counts_of(host->id); counts && counts->held > 0) {
      run(
          host->id, [](Project& project) { project.tidy(); }, [](const std::exception_ptr&) {});
    }
  }
}

void Projects::close_if_idle(Host& host) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(host.is_running, true)) return;
  post([this, &host] {
    close(host);
    go_on(host);
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
  for (const auto& [id, host] : hosts_) close(*host);
}

Projects::Times Projects::times() const {
  const std::lock_guard lock(mutex_);
  return times_;
}

}  // namespace askfew::server
