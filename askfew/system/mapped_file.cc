#include "askfew/system/mapped_file.h"

#include <cerrno>
#include <cstdint>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace askfew {
namespace {

/// The beginning of a page.
char* page_of(const char* at) {
  static const auto size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(at) / size * size);
}

}  // namespace

std::unique_ptr<MappedFile> MappedFile::map(int descriptor, std::size_t offset) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size <= offset) return nullptr;
  void* base = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (base == MAP_FAILED) return nullptr;
  madvise(base, size, MADV_SEQUENTIAL);
  return std::unique_ptr<MappedFile>(new MappedFile(static_cast<char*>(base), size, offset));
}

MappedFile::~MappedFile() {
  munmap(base_, size_);
}

bool MappedFile::bring_in(std::string_view part) {
  char* first = page_of(part.data());
  const auto size = static_cast<std::size_t>(part.data() + part.size() - first);
  // Since Linux 5.14. Older systems load the pages when they are read.
  return madvise(first, size, MADV_POPULATE_READ) == 0 || errno == EINVAL;
}

void MappedFile::let_go(std::string_view part) {
  char* first = page_of(part.data());
  // The last page may also belong to the next part.
  const auto size = static_cast<std::size_t>(page_of(part.data() + part.size()) - first);
  if (size > 0) madvise(first, size, MADV_DONTNEED);
}

}  // namespace askfew
