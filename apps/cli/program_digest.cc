#define XXH_INLINE_ALL
#include "apps/cli/program_digest.h"

#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <xxhash.h>

#include "askfew/core/errors.h"

namespace askfew::cli {

std::string program_digest() {
  constexpr const char* path = "/proc/self/exe";
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file || bytes.empty()) throw FileError(fmt::format("{}: cannot be read", path));
  return fmt::format("program {:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace askfew::cli
