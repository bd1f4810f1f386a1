#include "askfew/system/process.h"

#include <gtest/gtest.h>

#include "askfew/core/errors.h"
#include "askfew/system/unnamed_file.h"

namespace askfew {
namespace {

TEST(Process, arguments_arrive_unchanged) {
  const UnnamedFile out;
  const std::string text = "a'; touch x; '$(touch x) \"`touch x`\"\n*";
  EXPECT_EQ(run_process({.arguments = {"printf", "%s", text}, .output = out.descriptor()}), 0);
  EXPECT_EQ(out.content(), text);
}

TEST(Process, reads_from_and_writes_to_the_given_files) {
  const UnnamedFile in("one\ntwo\n");
  const UnnamedFile out;
  EXPECT_EQ(run_process({.arguments = {"cat"}, .input = in.descriptor(), .output = out.descriptor()}), 0);
  EXPECT_EQ(out.content(), "one\ntwo\n");
}

TEST(Process, runs_in_the_given_folder) {
  const UnnamedFile out;
  EXPECT_EQ(run_process({.arguments = {"pwd"}, .folder = "/usr", .output = out.descriptor()}), 0);
  EXPECT_EQ(out.content(), "/usr\n");
}

TEST(Process, its_exit_code_and_its_signal_are_returned) {
  EXPECT_EQ(run_process({.arguments = {"false"}}), 1);
  EXPECT_EQ(run_process({.arguments = {"sh", "-c", "kill -9 $$"}}), 128 + 9);
}

TEST(Process, without_an_input_it_reads_an_empty_input) {
  EXPECT_EQ(run_process({.arguments = {"cat"}}), 0);
}

TEST(Process, a_missing_program_is_an_error) {
  EXPECT_THROW(run_process({.arguments = {"no-such-program-of-askfew"}}), FileError);
}

TEST(Process, the_stop_flag_ends_it) {
  const std::atomic<bool> stop = true;
  EXPECT_EQ(run_process({.arguments = {"sleep", "60"}}, &stop), 128 + 15);
}

}  // namespace
}  // namespace askfew
