#include "askfew/system/loaded_library.h"

#include <cmath>
#include <gtest/gtest.h>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

std::string error_of(const auto& work) {
  try {
    work();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LoadedLibrary, gives_functions_that_can_be_called) {
  const LoadedLibrary library("libm.so.6", "libc6");
  EXPECT_EQ(library.function<double(double)>("fabs")(-27), 27);
}

TEST(LoadedLibrary, tells_the_package_of_a_library_that_is_not_installed) {
  EXPECT_EQ(
      error_of([] { LoadedLibrary("libnosuch.so.1", "libnosuch1"); }),
      "cannot load a library: libnosuch.so.1: cannot open shared object file: No such file or directory "
      "(the package libnosuch1 has it)");
}

TEST(LoadedLibrary, tells_the_name_of_a_function_that_is_missing) {
  EXPECT_EQ(error_of([] {
              static_cast<void>(LoadedLibrary("libm.so.6", "libc6").function<void()>("no_such_function"));
            }),
            "the library libm.so.6 has no function no_such_function");
}

}  // namespace
}  // namespace askfew
