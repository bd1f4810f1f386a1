#include "askfew/system/file_places.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <vector>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

namespace fs = std::filesystem;

class FilePlacesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "folder");
    std::ofstream(path("file")) << "x";
    std::ofstream(path("other")) << "x";
    fs::create_symlink("file", path("soft"));
    fs::create_hard_link(path("file"), path("hard"));
    fs::create_symlink("folder", path("linked_folder"));
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] bool are_apart(const std::string& input, const std::string& output) const {
    try {
      check_apart(std::vector<FilePlace>{{"in", path(input)}}, std::vector<FilePlace>{{"out", path(output)}});
      return true;
    } catch (const ConfigError&) {
      return false;
    }
  }

  fs::path folder_;
};

TEST_F(FilePlacesTest, different_files_are_accepted) {
  EXPECT_TRUE(are_apart("file", "other"));
  EXPECT_TRUE(are_apart("file", "new"));
  EXPECT_TRUE(are_apart("file", "folder/file"));
}

TEST_F(FilePlacesTest, a_file_under_another_name_is_recognized_as_the_same_file) {
  for (const char* name : {"file", "./file", "folder/../file", "soft", "hard"}) {
    EXPECT_FALSE(are_apart("file", name)) << name;
    EXPECT_FALSE(are_apart(name, "file")) << name;
  }
  EXPECT_FALSE(are_apart("folder/new", "linked_folder/new"));
}

TEST_F(FilePlacesTest, an_output_that_may_replace_an_input_is_accepted) {
  const std::vector<FilePlace> inputs{{.role = "old", .path = path("file"), .replaced_by = "new"}};
  EXPECT_NO_THROW(check_apart(inputs, std::vector<FilePlace>{{"new", path("file")}}));
  EXPECT_THROW(check_apart(inputs, std::vector<FilePlace>{{"other", path("file")}}), ConfigError);
}

TEST_F(FilePlacesTest, a_device_can_be_shared_and_an_output_that_is_not_wanted_has_no_place) {
  EXPECT_NO_THROW(check_apart(std::vector<FilePlace>{{"in", "/dev/null"}},
                              std::vector<FilePlace>{{"a", "/dev/null"}, {"b", "/dev/null"}}));
  EXPECT_NO_THROW(
      check_apart(std::vector<FilePlace>{{"in", ""}}, std::vector<FilePlace>{{"a", ""}, {"b", ""}}));
}

TEST_F(FilePlacesTest, following_links_in_a_circle_ends) {
  fs::create_symlink("round", path("round"));
  EXPECT_FALSE(without_links(path("round")).empty());
}

}  // namespace
}  // namespace askfew
