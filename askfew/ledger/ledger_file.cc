#include "askfew/ledger/ledger_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/system/mapped_file.h"

namespace askfew {

void LedgerFile::fail_to_open(const std::string& path) {
  throw FileError(path + ": cannot open the ledger: " + std::strerror(errno));
}

std::unique_ptr<LedgerFile> LedgerFile::open(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor >= 0) return std::unique_ptr<LedgerFile>(new LedgerFile(path, descriptor));
  if (errno != ENOENT) fail_to_open(path);
  return nullptr;
}

std::unique_ptr<LedgerFile> LedgerFile::for_reading(const std::string& path) {
  auto file = open(path, O_RDONLY);
  if (file == nullptr) fail_to_open(path);
  return file;
}

std::unique_ptr<LedgerFile> LedgerFile::find_for_writing(const std::string& path) {
  auto file = open(path, O_RDWR);
  if (file != nullptr) file->lock();
  return file;
}

std::unique_ptr<LedgerFile> LedgerFile::for_writing(const std::string& path) {
  auto file = open(path, O_RDWR | O_CREAT);
  if (file == nullptr) fail_to_open(path);
  file->lock();
  return file;
}

void LedgerFile::lock() const {
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) throw LedgerBusy(name() + ": another process writes this ledger");
  throw FileError(name() + ": cannot lock the ledger: " + std::strerror(errno));
}

LedgerFile::~LedgerFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void LedgerFile::sync_folder() const {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::canonical(name(), error).parent_path();
  const int descriptor = error ? -1 : ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // EINVAL: this file system cannot sync folders, so there is nothing to do.
  const bool done = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL);
  const int why_not = error ? error.value() : errno;
  if (descriptor >= 0) close(descriptor);
  if (!done) throw FileError(name() + ": cannot sync the ledger's folder: " + std::strerror(why_not));
}

std::size_t LedgerFile::read(std::uint64_t place, char* out, std::size_t size) const {
  while (true) {
    ssize_t got = pread(descriptor_, out, size, static_cast<off_t>(place));
    if (got < 0 && errno == ESPIPE) got = ::read(descriptor_, out, size);  // a pipe has its bytes in order
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) throw FileError(name() + ": cannot read the ledger: " + std::strerror(errno));
  }
}

void LedgerFile::show_from(std::uint64_t place, const SeeBytes& see) const {
  const auto mapped = MappedFile::map(descriptor_, place);
  if (mapped == nullptr || !MappedFile::bring_in(mapped->bytes()))
    throw FileError(name() + ": cannot read the bytes after the whole records");
  see(mapped->bytes());
}

LedgerFile::Status LedgerFile::status() const {
  struct stat here {};
  struct stat there {};
  if (fstat(descriptor_, &here) != 0) return {};
  return {.is_regular = S_ISREG(here.st_mode),
          .is_in_place =
              stat(name().c_str(), &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino,
          .size = static_cast<std::uint64_t>(here.st_size)};
}

std::string LedgerFile::write(std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return std::strerror(wrote < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
    place += static_cast<std::uint64_t>(wrote);
  }
  return "";
}

std::string LedgerFile::cut(std::uint64_t place) {
  return ftruncate(descriptor_, static_cast<off_t>(place)) == 0 ? "" : std::strerror(errno);
}

std::string LedgerFile::commit(bool sync) {
  if (!sync) return "";  // the system has the bytes
  if (fdatasync(descriptor_) != 0)
    throw FileError(name() + ": cannot sync the ledger: " + std::strerror(errno));
  if (!has_name_) sync_folder();
  has_name_ = true;
  return "";
}

}  // namespace askfew
