#include "askfew/system/memory_limit.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace askfew {
namespace {

constexpr std::size_t everything = ~std::size_t{0};

bool takes(MemoryLimit& limit, std::size_t bytes) {
  try {
    limit.take(bytes, "a matrix");
  } catch (const MemoryError&) {
    return false;
  }
  return true;
}

TEST(MemoryLimit, gives_all_of_its_bytes_and_not_one_more) {
  MemoryLimit limit(1000);
  EXPECT_TRUE(takes(limit, 0));
  EXPECT_TRUE(takes(limit, 600));
  EXPECT_TRUE(takes(limit, 400));
  EXPECT_TRUE(takes(limit, 0));
  EXPECT_FALSE(takes(limit, 1));
  EXPECT_FALSE(takes(limit, everything));
}

TEST(MemoryLimit, a_refusal_takes_nothing) {
  MemoryLimit limit(1000);
  EXPECT_TRUE(takes(limit, 300));
  EXPECT_FALSE(takes(limit, 701));
  EXPECT_FALSE(takes(limit, everything));
  EXPECT_FALSE(takes(limit, everything - 100));  // together with the 300 the sum would overflow to 0
  EXPECT_TRUE(takes(limit, 700));
}

TEST(MemoryLimit, released_memory_can_be_taken_again) {
  MemoryLimit limit(1000);
  EXPECT_TRUE(takes(limit, 1000));
  limit.give_back(250);
  EXPECT_FALSE(takes(limit, 251));
  EXPECT_TRUE(takes(limit, 250));
}

TEST(MemoryLimit, a_refusal_names_the_purpose_and_the_sizes) {
  MemoryLimit limit(2'000'000'000);
  limit.take(1'500'000'000, "a matrix");
  try {
    limit.take(723'400'000, "second-order's matrix");
    FAIL() << "no error";
  } catch (const MemoryError& error) {
    EXPECT_STREQ(
        error.what(),
        "second-order's matrix would need 723.4 MB more, and 1.5 GB of the limit of 2.0 GB are taken");
  }
}

TEST(MemoryLimit, threads_together_get_exactly_the_limit) {
  MemoryLimit limit(10'000);
  std::atomic<std::size_t> granted = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      for (int n = 0; n < 5'000; ++n) granted += takes(limit, 1) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(granted, 10'000);
}

TEST(MemoryLimit, large_refused_requests_do_not_make_small_requests_fail) {
  MemoryLimit limit(100);
  std::atomic<bool> stop = false;
  std::thread greedy([&] {
    while (!stop) EXPECT_FALSE(takes(limit, 101));
  });
  for (int n = 0; n < 20'000; ++n) {
    ASSERT_TRUE(takes(limit, 100));
    limit.give_back(100);
  }
  stop = true;
  greedy.join();
}

TEST(MemoryShare, grows_and_shrinks_within_the_limit) {
  const auto limit = std::make_shared<MemoryLimit>(1000);
  MemoryShare one(limit);
  MemoryShare other(limit);
  one.resize(600, "a matrix");
  other.resize(400, "a matrix");
  EXPECT_THROW(other.resize(401, "a matrix"), MemoryError);
  one.resize(500, "a matrix");
  other.resize(500, "a matrix");
  EXPECT_THROW(one.resize(501, "a matrix"), MemoryError);
  one.resize(0, "a matrix");
  other.resize(1000, "a matrix");
}

TEST(MemoryShare, after_a_refusal_the_share_is_unchanged) {
  const auto limit = std::make_shared<MemoryLimit>(1000);
  MemoryShare share(limit);
  share.resize(400, "a matrix");
  EXPECT_THROW(share.resize(2000, "a matrix"), MemoryError);
  share.resize(0, "a matrix");
  EXPECT_TRUE(takes(*limit, 1000));
}

TEST(MemoryShare, without_a_limit_everything_fits) {
  MemoryShare share(nullptr);
  EXPECT_NO_THROW(share.resize(everything, "a matrix"));
}

}  // namespace
}  // namespace askfew
