#include "askfew/system/worker_pool.h"

#include <atomic>
#include <gtest/gtest.h>

namespace askfew {
namespace {

TEST(WorkerPool, every_worker_runs_once_a_job) {
  for (const unsigned size : {1U, 2U, 5U}) {
    WorkerPool pool(size);
    std::vector<std::atomic<int>> runs(size);
    for (int job = 1; job <= 200; ++job) {
      pool.run([&](unsigned worker) { ++runs[worker]; });
      for (const auto& count : runs) ASSERT_EQ(count, job);
    }
  }
}

TEST(WorkerPool, ends_without_having_worked) {
  const WorkerPool pool(4);
}

}  // namespace
}  // namespace askfew
