#include "askfew/system/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "askfew/core/errors.h"

namespace askfew {

TemporaryFolder::TemporaryFolder(const std::filesystem::path& beginning) {
  std::string name = beginning.string() + ".XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw FileError(beginning.string() + ": cannot make a folder: " + std::strerror(errno));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace askfew
