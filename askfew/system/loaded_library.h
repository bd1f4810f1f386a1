#pragma once

#include <string>

namespace askfew {

/// A shared library that is loaded where it is used, not when the program starts: most runs need no database,
/// and to load such a library takes milliseconds. It stays loaded until the program ends.
class LoadedLibrary {
 public:
  /// THROWS: FileError that names the package to install if the library cannot be loaded.
  LoadedLibrary(std::string file, const std::string& package);

  /// A function of type F, as the library's header declares it. THROWS: FileError if the library has none of
  /// this name.
  template <class F>
  [[nodiscard]] F* function(const char* name) const {
    return reinterpret_cast<F*>(address(name));
  }

 private:
  [[nodiscard]] void* address(const char* name) const;

  std::string file_;
  void* handle_;
};

}  // namespace askfew

/// A member of a class that has a LoadedLibrary `library`: the function of this name, declared in a header.
#define ASKFEW_LOADED_FUNCTION(name) decltype(::name)* name = library.function<decltype(::name)>(#name)
