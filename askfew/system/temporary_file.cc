#include "askfew/system/temporary_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <unistd.h>

#include "askfew/core/errors.h"

namespace askfew {

TemporaryFile::TemporaryFile(std::string_view bytes, std::string_view name)
    : path_(std::filesystem::temp_directory_path() / fmt::format("askfew-XXXXXX.{}", name)) {
  const auto fail = [&] { throw FileError(path_ + ": cannot write: " + std::strerror(errno)); };
  const int descriptor = mkstemps(path_.data(), static_cast<int>(name.size()) + 1);
  if (descriptor < 0) fail();
  close(descriptor);
  std::ofstream out(path_, std::ios::binary);
  out << bytes;
  if (!out.flush()) {
    std::filesystem::remove(path_);
    fail();
  }
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace askfew
