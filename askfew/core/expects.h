#pragma once

#include <cstdio>
#include <cstdlib>

/// A precondition. Checked in debug and sanitizer builds, where a broken one aborts with its place.
#ifdef ASKFEW_CHECKS
#define EXPECTS(condition)                                                                             \
  ((condition) ? static_cast<void>(0)                                                                  \
               : (static_cast<void>(std::fprintf(stderr, "%s:%d: broken precondition: %s\n", __FILE__, \
                                                 __LINE__, #condition)),                               \
                  std::abort()))
#else
#define EXPECTS(condition) static_cast<void>(0)
#endif
