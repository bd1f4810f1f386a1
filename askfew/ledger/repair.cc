#include "askfew/ledger/repair.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw FileError(path + ": " + what + ": " + std::strerror(errno));
}

/// Copies some bytes of the ledger to a new file beside it, whose name is returned. Another repair may have
/// cut at the same place before.
std::string keep(const LedgerFile& ledger, std::uint64_t from, std::uint64_t size) {
  const std::string first = ledger.path() + ".cut-" + std::to_string(from);
  std::string path = first;
  int out = -1;
  for (int number = 2; (out = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) < 0;
       ++number) {
    if (errno != EEXIST) fail(path, "cannot keep the bytes that are cut off");
    path = first + "-" + std::to_string(number);
  }
  std::vector<char> buffer(std::size_t{1} << 20);
  std::uint64_t done = 0;
  while (done < size) {
    const std::size_t most = std::min<std::uint64_t>(buffer.size(), size - done);
    const ssize_t got = pread(ledger.descriptor(), buffer.data(), most, static_cast<off_t>(from + done));
    const ssize_t wrote = got <= 0 ? -1 : write(out, buffer.data(), static_cast<std::size_t>(got));
    if (wrote <= 0) break;
    done += static_cast<std::uint64_t>(wrote);
  }
  const bool is_kept = done == size && fsync(out) == 0;
  const int why_not = errno;
  close(out);
  errno = why_not;
  if (is_kept) return path;
  unlink(path.c_str());
  fail(path, "cannot keep the bytes that are cut off");
}

}  // namespace

LedgerRepair repair_ledger(const std::string& path) {
  auto file = LedgerFile::find_for_writing(path);
  if (!file) throw FileError(path + ": there is no such ledger");
  LedgerReader reader(*file);
  LedgerRepair repair;
  try {
    while (reader.next()) {
    }
    repair.tail = tail_of(*file, reader, nullptr);
  } catch (const LedgerDamage& damage) {
    repair.tail = tail_of(*file, reader, &damage);
  }
  const LedgerTail& tail = repair.tail;
  if (tail.kind == LedgerTail::Kind::nothing || tail.kind == LedgerTail::Kind::damaged) return repair;
  if (tail.bytes > tail.zeros) repair.kept = keep(*file, tail.whole, tail.bytes - tail.zeros);
  if (ftruncate(file->descriptor(), static_cast<off_t>(tail.whole)) != 0 ||
      fdatasync(file->descriptor()) != 0)
    fail(path, "cannot cut the ledger");
  return repair;
}

}  // namespace askfew
