#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "askfew/core/errors.h"

namespace askfew {

/// A piece of an experiment that needs no other piece.
struct Job {
  std::string key;  ///< says all that the result depends on
  double cost = 1;  ///< how long it takes, against others
  std::function<nlohmann::json()> work;
};

/// How far the jobs have come; `cost` counts what was done now, not what was found on disk.
struct JobsDone {
  std::size_t jobs = 0;
  std::size_t of_jobs = 0;
  double cost = 0;
  double of_cost = 0;
};

/// Results of jobs in a file, a line of JSON each, so that an experiment goes on where it was stopped.
class Results {
 public:
  /// Reads what is there. A last line that was cut off is forgotten. An empty path keeps nothing.
  /// THROWS: FileError, DataError for a file that is something else.
  explicit Results(std::string path);
  ~Results();
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  [[nodiscard]] const nlohmann::json* find(const std::string& key) const;
  /// THROWS: FileError.
  void add(const std::string& key, const nlohmann::json& result);

 private:
  std::string path_;
  using Found = std::map<std::string, nlohmann::json>;
  std::unique_ptr<Found> found_;
};

struct JobsOptions {
  unsigned threads = 1;
  Results* results = nullptr;  ///< where results are kept, if anywhere
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const JobsDone&)> progress{};  ///< called by one thread at a time
};

/// Thrown when `stop` was set before all jobs were done; those that were are kept.
class JobsStopped : public Error {
 public:
  JobsStopped() : Error("stopped before all jobs were done") {}
};

/// Does all jobs and returns their results in the jobs' order, whatever the threads. THROWS: JobsStopped, and
/// what the first job by number throws.
std::vector<nlohmann::json> run_jobs(const std::vector<Job>& jobs, const JobsOptions& options);

}  // namespace askfew
