#include "askfew/trials/jobs.h"

#include <algorithm>
#include <exception>
#include <fmt/core.h>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>

#include "askfew/json/json_text.h"
#include "askfew/system/worker_pool.h"

namespace askfew {

using nlohmann::json;

Results::Results(std::string path, std::string of)
    : path_(std::move(path)), of_(std::move(of)), found_(std::make_unique<Found>()) {
  if (path_.empty()) return;
  std::ifstream file(path_);
  std::string line;
  std::string kept;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    if (file.eof()) break;  // an incomplete line
    const json entry = try_parse_json(line);
    if (!entry.is_object() || !entry.contains("key") || !entry.contains("result")) {
      throw DataError({.line = number, .column = 1, .why = "not a result of an experiment", .file = path_});
    }
    if (entry.value("of", "") == of_) (*found_)[entry["key"].get<std::string>()] = entry["result"];
    kept += line + '\n';
  }
  const bool cut = file.is_open() && !line.empty() && file.eof();
  if (cut) std::ofstream(path_) << kept;
}

Results::~Results() = default;

const json* Results::find(const std::string& key) const {
  const auto found = found_->find(key);
  return found == found_->end() ? nullptr : &found->second;
}

void Results::add(const std::string& key, const json& result) {
  (*found_)[key] = result;
  if (path_.empty()) return;
  json entry{{"key", key}, {"result", result}};
  if (!of_.empty()) entry["of"] = of_;
  std::ofstream file(path_, std::ios::app);
  file << json_text(entry) + "\n" << std::flush;
  if (!file) throw FileError(path_ + ": cannot be written");
}

std::shared_ptr<MemoryLimit> JobsOptions::memory_of_job(std::size_t jobs) const {
  const std::size_t at_once = std::max<std::size_t>(1, std::min<std::size_t>(threads, jobs));
  return std::make_shared<MemoryLimit>(max_memory / at_once);
}

std::vector<json> run_jobs(const std::vector<Job>& jobs, const JobsOptions& options) {
  std::vector<json> results(jobs.size());
  std::vector<bool> is_done(jobs.size());
  std::vector<std::exception_ptr> failures(jobs.size());
  std::vector<std::size_t> todo;
  JobsDone done{.of_jobs = jobs.size()};
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const json* known = options.results == nullptr ? nullptr : options.results->find(jobs[k].key);
    if (known != nullptr) {
      results[k] = *known;
      is_done[k] = true;
      ++done.jobs;
    } else if (options.only == nullptr || options.only->contains(jobs[k].key)) {
      todo.push_back(k);
      done.of_cost += jobs[k].cost;
    }
  }
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  const auto stopped = [&] { return options.stop != nullptr && *options.stop; };
  const auto work = [&](unsigned /*worker*/) {
    for (std::size_t at = next++; at < todo.size() && !failed && !stopped(); at = next++) {
      const std::size_t k = todo[at];
      try {
        json result = jobs[k].work();
        const std::lock_guard lock(mutex);
        if (options.results != nullptr) options.results->add(jobs[k].key, result);
        results[k] = std::move(result);
        is_done[k] = true;
        ++done.jobs;
        done.cost += jobs[k].cost;
        if (options.progress) options.progress(done);
      } catch (...) {
        failures[k] = std::current_exception();
        failed = true;
      }
    }
  };
  if (!todo.empty()) WorkerPool(options.threads).run(work);
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  std::vector<JobLeft> left;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (!is_done[k]) left.push_back({.key = jobs[k].key, .cost = jobs[k].cost});
  }
  if (!left.empty()) throw JobsStopped(std::move(left));
  return results;
}

}  // namespace askfew
