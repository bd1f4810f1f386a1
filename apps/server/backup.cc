#include "apps/server/backup.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <memory>
#include <sqlite3.h>
#include <unistd.h>

#include "askfew/core/errors.h"
#include "askfew/ledger/ledger_reader.h"
#include "askfew/service/folder_ledgers.h"
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

/// Writes what `next` gives, up to its end, to a new file, which is on the disk afterwards.
using NextBytes = std::function<std::size_t(char* out, std::size_t size)>;
void write_file(const std::string& to, const NextBytes& next) {
  constexpr int only_for_the_owner = 0600;
  const int target = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, only_for_the_owner);
  if (target < 0) fail(to, errno);
  std::array<char, 1 << 16> piece{};
  int error = 0;
  try {
    while (const std::size_t got = error == 0 ? next(piece.data(), piece.size()) : 0)
      error = write_all(target, {piece.data(), got}, nullptr);
  } catch (...) {
    close(target);
    throw;
  }
  if (error == 0 && fsync(target) != 0) error = errno;
  close(target);
  if (error != 0) fail(to, error);
}

void copy_file(const std::string& from, const std::string& to) {
  std::ifstream source(from, std::ios::binary);
  write_file(to, [&](char* out, std::size_t size) {
    source.read(out, static_cast<std::streamsize>(size));
    return static_cast<std::size_t>(source.gcount());
  });
  if (!source.eof()) throw FileError(from + ": cannot be read");
}

void copy_ledger(const LedgerPlace& from, const std::string& to, Backup& backup) {
  const auto store = from.for_reading();
  LedgerReader reader(*store);
  while (reader.next()) {
  }
  const std::uint64_t whole = reader.whole_bytes();
  std::uint64_t done = 0;
  write_file(to, [&](char* out, std::size_t size) {
    const std::size_t got = store->read(done, out, std::min<std::uint64_t>(size, whole - done));
    done += got;
    return got;
  });
  if (done < whole) throw FileError(from.name() + ": became shorter while it was copied");
  backup.bytes += whole;
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

Backup back_up(const std::string& folder, const std::string& target, const LedgerCollection* ledgers) {
  if (!fs::is_directory(folder + "/projects")) throw FileError(folder + ": not a folder of projects");
  const std::string elsewhere = ledgers_of_folder(folder);
  if (ledgers == nullptr && !elsewhere.empty())
    throw ConfigError(
        fmt::format("{}: the ledgers of this folder are in {}, not in files", folder, elsewhere));
  if (ledgers != nullptr && elsewhere.empty())
    throw ConfigError(folder + ": the ledgers of this folder are files");
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
    copy_ledger(ledgers == nullptr ? LedgerPlace(from + "/ledger") : ledgers->place_of(id), to + "/ledger",
                backup);
    copy_file(from + "/settings.json", to + "/settings.json");
    ++backup.projects;
  }
  return backup;
}

}  // namespace askfew::server
