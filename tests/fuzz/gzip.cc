// Raw bytes into ByteSource: plain files as they are, gzip unpacked, damage said and not hidden.

#include <algorithm>

#include "askfew/streams/byte_source.h"

#include "tests/fuzz/gzip_bytes.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/memory_file.h"

namespace askfew::fuzz {
namespace {

struct Unpacked {
  std::string text;
  std::string failure;
};

Unpacked read_in_chunks(const std::string& path, std::size_t chunk, bool peek_first) {
  ByteSource source(path);
  const std::string first(peek_first ? source.peek() : std::string_view());
  Unpacked unpacked;
  std::string buffer(chunk, '\0');
  std::size_t got = 0;
  do {
    got = source.read(buffer.data(), buffer.size());
    FUZZ_CHECK(got <= chunk);
    unpacked.text.append(buffer, 0, got);
  } while (got == chunk);
  FUZZ_CHECK(source.read(buffer.data(), buffer.size()) == 0);  // the end stays the end
  FUZZ_CHECK(unpacked.text.starts_with(first));
  unpacked.failure = source.failure();
  return unpacked;
}

bool is_prefix(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())),
                    b.begin());
}

}  // namespace

std::vector<std::string> seeds() {
  std::string long_text;
  for (int k = 0; k < 9000; ++k) long_text += std::to_string(k * k % 97);
  const std::string packed = gzip("+1 1:1\n-1 2:1\n");
  return {packed,    packed + gzip("second member\n"), gzip(long_text), gzip(""), "plain text\n", "\x1f",
          "\x1f\x8b"};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  const std::string_view bytes = text_of(data, size);
  const MemoryFile file(bytes);
  const Unpacked whole = read_in_chunks(file.path(), 1U << 18, false);
  const Unpacked pieces = read_in_chunks(file.path(), 1009, true);
  // Where the data is damaged, how much comes before the failure may depend on the chunks, but not what.
  FUZZ_CHECK(is_prefix(whole.text, pieces.text));
  FUZZ_CHECK(whole.failure == pieces.failure);
  if (whole.failure.empty()) FUZZ_CHECK(whole.text == pieces.text);
  if (!bytes.starts_with("\x1f")) FUZZ_CHECK(whole.failure.empty() && whole.text == bytes);
  if (const auto text = gunzip(bytes)) FUZZ_CHECK(whole.failure.empty() && whole.text == *text);
  return 0;
}
