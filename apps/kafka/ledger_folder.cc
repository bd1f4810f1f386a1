#include "apps/kafka/ledger_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <linux/magic.h>
#include <random>
#include <sys/vfs.h>
#include <unistd.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew::kafka {
namespace {

/// Locks of these file systems depend on another machine or program, and may be lost.
bool has_uncertain_locks(const std::string& path) {
  constexpr std::uint32_t fuse = 0x65735546;
  constexpr std::uint32_t ceph = 0x00c36400;
  constexpr std::uint32_t smb2 = 0xfe534d42;
  constexpr std::uint32_t cifs = 0xff534d42;
  constexpr std::array<std::uint32_t, 8> magics{
      NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, AFS_SUPER_MAGIC, V9FS_MAGIC, fuse, ceph, smb2, cifs};
  struct statfs status {};
  if (statfs(path.c_str(), &status) != 0)
    throw FileError(fmt::format("{}: cannot look at the folder: {}", path, std::strerror(errno)));
  return std::find(magics.begin(), magics.end(), static_cast<std::uint32_t>(status.f_type)) != magics.end();
}

std::string read_identity(const std::string& path) {
  std::string identity;
  std::ifstream file(path);
  std::getline(file, identity);
  return identity;
}

constexpr std::string_view before_shard = " shard ";

/// The first process that links its file into place has named the folder. A folder of a shard is named so.
std::string identity_of(const std::string& folder, const std::string& shard) {
  const std::string path = folder + "/identity";
  if (std::string identity = read_identity(path); !identity.empty()) return identity;
  std::random_device random;
  const std::string identity =
      fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
  const std::string own = path + "." + identity;
  std::ofstream(own) << identity << (shard.empty() ? "" : before_shard) << shard << '\n';
  const bool linked = link(own.c_str(), path.c_str()) == 0;
  const int why_not = errno;
  unlink(own.c_str());
  if (!linked && why_not != EEXIST)
    throw FileError(fmt::format("{}: cannot write: {}", path, std::strerror(why_not)));
  std::string there = read_identity(path);
  if (there.empty()) throw FileError(fmt::format("{}: the folder has no readable identity", path));
  return there;
}

void expect_shard(const std::string& path, const std::string& identity, const std::string& shard) {
  const std::size_t mark = identity.find(before_shard);
  const std::string there = mark == std::string::npos ? "" : identity.substr(mark + before_shard.size());
  if (there == shard) return;
  const auto text_of = [](const std::string& name) {
    return name.empty() ? "all topics, not of a shard" : "the shard " + name;
  };
  throw ConfigError(
      fmt::format("{}: the folder has the ledgers of {}, and this process has {}: every shard "
                  "needs a folder of its own",
                  path, text_of(there), text_of(shard)));
}

}  // namespace

LedgerFolder::LedgerFolder(const std::string& path, const std::string& shard) : path_(path) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (!std::filesystem::is_directory(path_))
    throw FileError(fmt::format("{}: cannot make the folder of the ledgers: {}", path,
                                error ? error.message() : "there is a file"));
  if (has_uncertain_locks(path_)) {
    throw ConfigError(
        fmt::format("{}: the ledgers need a folder on a disk of this machine: on this file system a lock may "
                    "be lost while "
                    "its process still writes, and then two processes would take the same messages",
                    path));
  }
  identity_ = identity_of(path_, shard);
  expect_shard(path_, identity_, shard);
}

std::string LedgerFolder::place(std::string_view topic, std::int32_t partition) const {
  return fmt::format("{}/{}-{}", path_, topic, partition);
}

}  // namespace askfew::kafka
