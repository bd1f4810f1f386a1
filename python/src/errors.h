#pragma once

#include <nanobind/nanobind.h>

namespace askfew::python {

/// The library's exceptions become those of askfew.errors, with the same words.
void add_errors();

/// Raises ConfigError.
[[noreturn]] void refuse(const std::string& why);

/// Issues an askfew.DataWarning. Python may be told to raise it.
void warn(const std::string& sentence);

}  // namespace askfew::python
