#pragma once

#include <cstdio>
#include <cstdlib>

/// A precondition. Debug and sanitizer builds check it; a failed check aborts and prints its place.
#ifdef ASKFEW_CHECKS
#define EXPECTS(condition)                                                                             \
  ((condition) ? static_cast<void>(0)                                                                  \
               : (static_cast<void>(std::fprintf(stderr, "%s:%d: broken precondition: %s\n", __FILE__, \
                                                 __LINE__, #condition)),                               \
                  std::abort()))
#else
#define EXPECTS(condition) static_cast<void>(0)
#endif
