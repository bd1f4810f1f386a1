#include "askfew/streams/origin.h"

#include <filesystem>
#include <sys/stat.h>

namespace askfew {

std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  constexpr std::int64_t nanoseconds = 1'000'000'000;
  return FileStamp{.size = static_cast<std::uint64_t>(status.st_size),
                   .modified = status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec};
}

Origin origin_of(const std::string& path) {
  Origin origin{.name = path == "-" ? "<stdin>" : path};
  if (path != "-") origin.stamp = stamp_of(path);
  if (origin.stamp) origin.path = std::filesystem::absolute(path).lexically_normal().string();
  return origin;
}

}  // namespace askfew
