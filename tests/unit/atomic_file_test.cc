#include "askfew/system/atomic_file.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return (folder_ / "out").string(); }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  [[nodiscard]] std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path()).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

TEST_F(AtomicFileTest, the_file_appears_complete_at_commit) {
  AtomicFile file(path());
  file.stream() << "new";
  EXPECT_FALSE(fs::exists(path()));
  file.commit();
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, without_a_commit_the_old_file_stays_and_nothing_else_is_left) {
  std::ofstream(path()) << "old";
  {
    AtomicFile file(path());
    file.stream() << "new";
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, a_link_is_followed_and_not_replaced) {
  const fs::path target = folder_ / "target";
  std::ofstream(target) << "old";
  fs::create_symlink(target, path());
  AtomicFile file(path());
  file.stream() << "new";
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path()));
  EXPECT_EQ(content(), "new");
}

TEST_F(AtomicFileTest, a_path_that_cannot_be_written_is_refused_at_once) {
  EXPECT_THROW(AtomicFile((folder_ / "none" / "out").string()), FileError);
}

TEST_F(AtomicFileTest, a_full_disk_is_reported_with_the_path) {
  AtomicFile file("/dev/full");
  file.stream() << std::string(1'000'000, 'x');  // fails long before the end
  try {
    file.commit();
    FAIL() << "nothing was thrown";
  } catch (const FileError& error) {
    EXPECT_STREQ(error.what(), "/dev/full: cannot write: No space left on device");
  }
}

TEST_F(AtomicFileTest, a_dangling_link_creates_the_file_that_it_points_to) {
  fs::create_symlink("target", path());
  AtomicFile file(path());
  file.stream() << "new";
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path()));
  EXPECT_TRUE(fs::is_regular_file(folder_ / "target"));
}

TEST_F(AtomicFileTest, standard_output_is_written_only_to_a_stream_that_the_caller_gives) {
  std::ostringstream standard;
  AtomicFile file("-", &standard);
  file.stream() << "new";
  file.commit();
  EXPECT_EQ(standard.str(), "new");
  EXPECT_THROW(AtomicFile("-"), FileError);
}

TEST_F(AtomicFileTest, a_new_file_has_the_mode_of_any_other_new_file) {
  std::ofstream(folder_ / "other") << "other";
  AtomicFile file(path());
  file.commit();
  EXPECT_EQ(fs::status(path()).permissions(), fs::status(folder_ / "other").permissions());
}

TEST_F(AtomicFileTest, a_file_that_is_replaced_keeps_its_mode) {
  std::ofstream(path()) << "old";
  for (const fs::perms mode : {fs::perms::owner_read | fs::perms::owner_write, fs::perms::owner_read}) {
    fs::permissions(path(), mode);
    AtomicFile file(path());
    file.commit();
    EXPECT_EQ(fs::status(path()).permissions(), mode);
  }
}

}  // namespace
}  // namespace askfew
