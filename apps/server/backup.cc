#include "apps/server/backup.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <sqlite3.h>
#include <unistd.h>

#include "askfew/core/errors.h"
#include "askfew/ledger/ledger_file.h"
#include "askfew/ledger/ledger_reader.h"
#include "askfew/service/project_settings.h"
#include "askfew/system/descriptor.h"

namespace askfew::server {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int error) {
  throw FileError(fmt::format("{}: {}", path, std::strerror(error)));
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw FileError(fmt::format("{}: cannot make the folder: {}", path, error.message()));
}

/// Copies the first bytes of a file to a new file, which is on the disk afterwards.
void copy_bytes(const std::string& from, const std::string& to, std::uint64_t bytes) {
  struct Open {
    int descriptor;
    explicit Open(int opened) : descriptor(opened) {}
    ~Open() { close(descriptor); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    Open(Open&&) = delete;
    Open& operator=(Open&&) = delete;
  };
  constexpr int only_for_the_owner = 0600;
  const Open source(open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.descriptor < 0) fail(from, errno);
  const Open target(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, only_for_the_owner));
  if (target.descriptor < 0) fail(to, errno);
  std::array<char, 1 << 16> piece{};
  while (bytes > 0) {
    const ssize_t got = read(source.descriptor, piece.data(), std::min<std::uint64_t>(piece.size(), bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(from, errno);
    if (got == 0) throw FileError(from + ": became shorter while it was copied");
    const int error = write_all(target.descriptor, {piece.data(), static_cast<std::size_t>(got)}, nullptr);
    if (error != 0) fail(to, error);
    bytes -= static_cast<std::uint64_t>(got);
  }
  if (fsync(target.descriptor) != 0) fail(to, errno);
}

void copy_ledger(const std::string& from, const std::string& to, Backup& backup) {
  const auto file = LedgerFile::for_reading(from);
  LedgerReader reader(*file);
  while (reader.next()) {
  }
  copy_bytes(from, to, reader.whole_bytes());
  backup.bytes += reader.whole_bytes();
  backup.torn += reader.torn_bytes();
}

using AccountsFile = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

AccountsFile connect(const std::string& path, int flags) {
  sqlite3* raw = nullptr;
  const int error = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  AccountsFile connection(raw, sqlite3_close);
  if (error != SQLITE_OK) throw FileError(fmt::format("{}: {}", path, sqlite3_errstr(error)));
  constexpr int patience = 10'000;  // milliseconds
  sqlite3_busy_timeout(raw, patience);
  return connection;
}

/// One state of the database, whatever others write meanwhile.
void copy_database(const std::string& from, const std::string& to) {
  const AccountsFile source = connect(from, SQLITE_OPEN_READONLY);
  const AccountsFile target = connect(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write);
  sqlite3_backup* backup = sqlite3_backup_init(target.get(), "main", source.get(), "main");
  if (backup == nullptr) throw FileError(fmt::format("{}: {}", to, sqlite3_errmsg(target.get())));
  const int step = sqlite3_backup_step(backup, -1);
  sqlite3_backup_finish(backup);
  if (step != SQLITE_DONE) throw FileError(fmt::format("{}: {}", to, sqlite3_errstr(step)));
}

}  // namespace

Backup back_up(const std::string& folder, const std::string& target) {
  if (!fs::is_directory(folder + "/projects")) throw FileError(folder + ": not a folder of projects");
  if (fs::exists(target) && !fs::is_empty(target)) throw FileError(target + ": there is something already");
  make_folder(target + "/projects");
  Backup backup;
  // First the accounts: every person of the ledgers' lines may then be newer, and none is needed to read
  // them.
  const std::string accounts = "/accounts.sqlite";
  if (fs::exists(folder + accounts)) copy_database(folder + accounts, target + accounts);
  for (const auto& entry : fs::directory_iterator(folder + "/projects")) {
    const std::string id = entry.path().filename();
    const std::string from = entry.path();
    if (!is_slug(id) || !fs::exists(from + "/settings.json")) continue;  // it is just being made
    const std::string to = target + "/projects/" + id;
    make_folder(to);
    copy_ledger(from + "/ledger", to + "/ledger", backup);
    copy_bytes(from + "/settings.json", to + "/settings.json", fs::file_size(from + "/settings.json"));
    ++backup.projects;
  }
  return backup;
}

}  // namespace askfew::server
