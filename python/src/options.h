#pragma once

#include <askfew/workflows/options.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace askfew::python {

namespace nb = nanobind;

/// Options by name, as Python gives them. None is an option that is not given.
class Options {
 public:
  explicit Options(const nb::dict& given) : given_(given) {}

  /// Sets a member if its option is given. THROWS: ConfigError for a value of another type.
  template <class T>
  void take(const char* name, T& member) {
    taken_.emplace_back(name);
    const nb::object value = find(name);
    if (value.is_none()) return;
    if (!nb::try_cast(value, member)) refuse_type(name, value, accepted<T>());
  }
  [[nodiscard]] nb::object find(const char* name) const;
  /// Refuses options that nobody has taken. THROWS: ConfigError.
  void finish() const;

 private:
  [[noreturn]] static void refuse_type(const char* name, nb::handle value, std::string_view accepted);
  template <class T>
  static constexpr std::string_view accepted() {
    if constexpr (std::is_same_v<T, bool>) return "True or False";
    if constexpr (std::is_integral_v<T>) return "a whole number, at least 0";
    if constexpr (std::is_floating_point_v<T>) return "a number";
    if constexpr (std::is_same_v<T, std::string>) return "a text";
    return "a list of texts";
  }

  nb::dict given_;
  std::vector<std::string> taken_;
};

void take(Options& given, SamplerOptions& options);
void take(Options& given, LabelOptions& options);
void take(Options& given, ReadingOptions& options);
void take(Options& given, ModelOptions& options);
/// Without its paths and rows.
void take(Options& given, DataOptions& options);

}  // namespace askfew::python
