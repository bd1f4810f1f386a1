#include "askfew/system/loaded_library.h"

#include <dlfcn.h>

#include "askfew/core/errors.h"

namespace askfew {

LoadedLibrary::LoadedLibrary(std::string file, const std::string& package)
    : file_(std::move(file)), handle_(dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr)
    throw FileError("cannot load a library: " + std::string(dlerror()) + " (the package " + package +
                    " has it)");
}

void* LoadedLibrary::address(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr) throw FileError("the library " + file_ + " has no function " + name);
  return found;
}

}  // namespace askfew
