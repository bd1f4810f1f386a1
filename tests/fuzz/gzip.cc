// Raw bytes through ByteSource: plain files are unchanged, gzip is decompressed, damage is reported.

#include "tests/fuzz/gzip_bytes.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/unpacking.h"

namespace askfew::fuzz {

std::vector<std::string> seeds() {
  const std::string packed = gzip("+1 1:1\n-1 2:1\n");
  return {packed,    packed + gzip("second member\n"), gzip(long_text()), gzip(""), "plain text\n", "\x1f",
          "\x1f\x8b"};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  const std::string_view bytes = text_of(data, size);
  check_unpacking(bytes, gunzip(bytes));
  return 0;
}
