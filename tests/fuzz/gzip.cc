// Raw bytes into ByteSource: plain files as they are, gzip unpacked, damage said and not hidden.

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

/// What comes, as it comes.
Unpacked read_whole(const std::string& path) {
  ByteSource source(path);
  Unpacked unpacked;
  std::string buffer(std::size_t{1} << 18, '\0');
  while (const std::size_t got = source.read(buffer.data(), buffer.size())) {
    FUZZ_CHECK(got <= buffer.size());
    unpacked.text.append(buffer, 0, got);
  }
  FUZZ_CHECK(source.read(buffer.data(), buffer.size()) == 0);  // the end stays the end
  unpacked.failure = source.failure();
  return unpacked;
}

/// Pieces of an odd size, after a look at what is to come.
Unpacked read_in_pieces(const std::string& path) {
  ByteSource source(path);
  const std::string first(source.peek());
  Unpacked unpacked;
  std::string buffer(1009, '\0');
  std::size_t got = 0;
  do {
    got = source.read_fully(buffer.data(), buffer.size());
    unpacked.text.append(buffer, 0, got);
  } while (got == buffer.size());
  FUZZ_CHECK(unpacked.text.starts_with(first));
  FUZZ_CHECK(!first.empty() || unpacked.text.empty());
  unpacked.failure = source.failure();
  return unpacked;
}

bool one_begins_the_other(std::string_view a, std::string_view b) {
  return a.starts_with(b) || b.starts_with(a);
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
  const Unpacked whole = read_whole(file.path());
  const Unpacked pieces = read_in_pieces(file.path());
  FUZZ_CHECK(whole.failure == pieces.failure);
  // How much comes before a failure may depend on the size of the pieces, but not what.
  FUZZ_CHECK(whole.failure.empty() ? whole.text == pieces.text
                                   : one_begins_the_other(whole.text, pieces.text));
  if (!bytes.starts_with("\x1f\x8b")) {
    FUZZ_CHECK(whole.failure.empty() && whole.text == bytes);
  } else if (const auto text = gunzip(bytes)) {
    FUZZ_CHECK(whole.failure.empty() && whole.text == *text);
  } else {
    FUZZ_CHECK(!whole.failure.empty());
  }
  return 0;
}
