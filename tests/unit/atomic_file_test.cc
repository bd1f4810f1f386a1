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

TEST_F(AtomicFileTest, appears_whole_at_commit) {
  AtomicFile file(path());
  file.stream() << "new";
  EXPECT_FALSE(fs::exists(path()));
  file.commit();
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, leaves_the_old_file_and_nothing_else_if_not_committed) {
  std::ofstream(path()) << "old";
  {
    AtomicFile file(path());
    file.stream() << "new";
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, follows_a_link_instead_of_replacing_it) {
  const fs::path target = folder_ / "target";
  std::ofstream(target) << "old";
  fs::create_symlink(target, path());
  AtomicFile file(path());
  file.stream() << "new";
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path()));
  EXPECT_EQ(content(), "new");
}

TEST_F(AtomicFileTest, what_cannot_be_written_is_refused_at_once) {
  EXPECT_THROW(AtomicFile((folder_ / "none" / "out").string()), FileError);
}

TEST_F(AtomicFileTest, a_full_disk_is_noticed_and_named) {
  AtomicFile file("/dev/full");
  file.stream() << std::string(1'000'000, 'x');  // it fails long before the end
  try {
    file.commit();
    FAIL() << "nothing was thrown";
  } catch (const FileError& error) {
    EXPECT_STREQ(error.what(), "/dev/full: cannot write: No space left on device");
  }
}

TEST_F(AtomicFileTest, a_link_to_nothing_makes_the_file_that_it_leads_to) {
  fs::create_symlink("target", path());
  AtomicFile file(path());
  file.stream() << "new";
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path()));
  EXPECT_TRUE(fs::is_regular_file(folder_ / "target"));
}

TEST_F(AtomicFileTest, the_mode_of_the_file_that_is_replaced_is_kept) {
  std::ofstream(path()) << "old";
  fs::permissions(path(), fs::perms::owner_read);
  AtomicFile file(path());
  file.commit();
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read);
}

TEST_F(AtomicFileTest, standard_output_must_be_given) {
  EXPECT_THROW(AtomicFile("-"), FileError);
  std::ostringstream standard;
  AtomicFile file("-", &standard);
  file.stream() << "new";
  file.commit();
  EXPECT_EQ(standard.str(), "new");
}

TEST_F(AtomicFileTest, standard_output_is_written_only_where_the_caller_gives_it) {
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
  fs::permissions(path(), fs::perms::owner_read | fs::perms::owner_write);
  AtomicFile file(path());
  file.commit();
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace askfew
