#include "askfew/core/errors.h"

#include <gtest/gtest.h>
#include <type_traits>

#include "askfew/catalog/catalog.h"
#include "askfew/trials/jobs.h"

namespace askfew {
namespace {

template <class... Errors>
constexpr bool all_are_errors = (std::is_base_of_v<Error, Errors> && ...);

TEST(Errors, one_base_class_catches_every_error_of_the_library) {
  static_assert(all_are_errors<ConfigError, NumericError, NumericFailure, MemoryError, FileError, ModelError,
                               DataError, JobsStopped>);
  try {
    static_cast<void>(parse_rule("no-such-rule"));
    FAIL() << "a rule of this name does not exist";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no-such-rule"), std::string::npos);
  }
}

}  // namespace
}  // namespace askfew
