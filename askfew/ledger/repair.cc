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
std::string keep(const LedgerStore& ledger, std::uint64_t from, std::uint64_t size) {
  const std::string first = ledger.name() + ".cut-" + std::to_string(from);
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
    const std::size_t got = ledger.read(from + done, buffer.data(), most);
    const ssize_t wrote = got == 0 ? -1 : write(out, buffer.data(), got);
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

LedgerRepair repair_ledger(const LedgerPlace& place) {
  if (!place.is_file())
    throw ConfigError(place.name() +
                      ": only a ledger in a file is repaired; a database keeps no half-written record");
  const auto file = place.find_for_writing();
  if (file == nullptr) throw FileError(place.name() + ": there is no such ledger");
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
  if (const std::string failure = file->cut(tail.whole); !failure.empty())
    throw FileError(place.name() + ": cannot cut the ledger: " + failure);
  if (const std::string failure = file->commit(true); !failure.empty())
    throw FileError(place.name() + ": cannot cut the ledger: " + failure);
  return repair;
}

}  // namespace askfew
