#pragma once

// Runs the independent jobs of an experiment on several threads and keeps their results, so that it can
// continue.

#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "askfew/core/errors.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// A piece of an experiment that does not depend on other pieces.
struct Job {
  std::string key;  ///< contains everything that the result depends on
  double cost = 1;  ///< relative duration
  std::function<nlohmann::json()> work;
};

/// The progress of the jobs; `cost` counts jobs done now, not results found on disk.
struct JobsDone {
  std::size_t jobs = 0;
  std::size_t of_jobs = 0;
  double cost = 0;
  double of_cost = 0;
};

/// Results of jobs in a file, one line of JSON per job, so that a stopped experiment can continue.
class Results {
 public:
  /// Reads the existing results. An incomplete last line is ignored. With an empty path nothing is stored.
  /// `of`: what all jobs have in common and their keys do not contain, such as a digest of the data; results
  /// of something else are left alone. THROWS: FileError, DataError for a file with other content.
  explicit Results(std::string path, std::string of = {});
  ~Results();
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  [[nodiscard]] const nlohmann::json* find(const std::string& key) const;
  /// THROWS: FileError.
  void add(const std::string& key, const nlohmann::json& result);

 private:
  std::string path_;
  std::string of_;
  using Found = std::map<std::string, nlohmann::json>;
  std::unique_ptr<Found> found_;
};

struct JobsOptions {
  unsigned threads = 1;
  Results* results = nullptr;  ///< null: results are not stored
  /// Run only the jobs with these keys, for a part of the work of many processes; null: run all.
  const std::set<std::string>* only = nullptr;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const JobsDone&)> progress{};  ///< called by one thread at a time
  /// Bytes for the learners of the jobs that run at the same time, all together.
  std::size_t max_memory = std::numeric_limits<std::size_t>::max();

  /// A limit for one of `jobs` jobs: those that run at the same time get equal parts.
  [[nodiscard]] std::shared_ptr<MemoryLimit> memory_of_job(std::size_t jobs) const;
};

/// A job that waits to be done.
struct JobLeft {
  std::string key;
  double cost = 1;
};

/// Thrown if `stop` was set before all jobs were done, or `only` left some out; finished results are stored.
class JobsStopped : public Error {
 public:
  explicit JobsStopped(std::vector<JobLeft> left)
      : Error("stopped before all jobs were done"), left_(std::move(left)) {}

  /// The jobs without a result, in order. Further jobs may follow that depend on their results.
  [[nodiscard]] const std::vector<JobLeft>& left() const { return left_; }

 private:
  std::vector<JobLeft> left_;
};

/// Runs all jobs and returns their results in the order of the jobs, for any number of threads. THROWS:
/// JobsStopped, and the exception of the first job by number.
std::vector<nlohmann::json> run_jobs(const std::vector<Job>& jobs, const JobsOptions& options);

}  // namespace askfew
