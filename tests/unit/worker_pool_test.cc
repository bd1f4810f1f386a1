#include "askfew/system/worker_pool.h"

#include <atomic>
#include <gtest/gtest.h>
#include <string>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

TEST(WorkerPool, every_worker_runs_once_per_job) {
  for (const unsigned size : {1U, 2U, 5U}) {
    WorkerPool pool(size);
    std::vector<std::atomic<int>> runs(size);
    for (int job = 1; job <= 200; ++job) {
      pool.run([&](unsigned worker) { ++runs[worker]; });
      for (const auto& count : runs) ASSERT_EQ(count, job);
    }
  }
}

TEST(WorkerPool, can_be_destroyed_without_a_job) {
  const WorkerPool pool(4);
}

TEST(WorkerPool, an_exception_of_a_job_arrives_when_all_workers_are_done) {
  for (const unsigned size : {1U, 2U, 5U}) {
    WorkerPool pool(size);
    for (unsigned thrower = 0; thrower < size; ++thrower) {
      std::atomic<unsigned> done = 0;
      const auto job = [&](unsigned worker) {
        ++done;
        if (worker >= thrower) throw ConfigError(std::to_string(worker));
      };
      try {
        pool.run(job);
        ADD_FAILURE() << "nothing was thrown";
      } catch (const ConfigError& error) {
        EXPECT_EQ(error.what(), std::to_string(thrower));
      }
      EXPECT_EQ(done, size);
      pool.run([](unsigned /*worker*/) {});  // the exception is not thrown again
    }
  }
}

}  // namespace
}  // namespace askfew
