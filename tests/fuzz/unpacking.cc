#include "tests/fuzz/unpacking.h"

#include "askfew/streams/byte_source.h"

#include "tests/fuzz/harness.h"
#include "tests/fuzz/memory_file.h"

namespace askfew::fuzz {
namespace {

struct Unpacked {
  std::string text;
  std::string failure;
};

/// Reads in pieces of any size.
Unpacked read_whole(const std::string& path) {
  ByteSource source(path);
  Unpacked unpacked;
  std::string buffer(std::size_t{1} << 18, '\0');
  while (const std::size_t got = source.read(buffer.data(), buffer.size())) {
    FUZZ_CHECK(got <= buffer.size());
    unpacked.text.append(buffer, 0, got);
  }
  FUZZ_CHECK(source.read(buffer.data(), buffer.size()) == 0);  // after the end, every read gives nothing
  unpacked.failure = source.failure();
  return unpacked;
}

/// Reads pieces of an odd size, after peeking.
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

void check_unpacking(std::string_view bytes, const std::optional<std::string>& text) {
  const MemoryFile file(bytes);
  const Unpacked whole = read_whole(file.path());
  const Unpacked pieces = read_in_pieces(file.path());
  FUZZ_CHECK(whole.failure == pieces.failure);
  // The size of the pieces may change how much is read before a failure, but not what.
  FUZZ_CHECK(whole.failure.empty() ? whole.text == pieces.text
                                   : one_begins_the_other(whole.text, pieces.text));
  if (unpacker_for(bytes) == nullptr) {
    FUZZ_CHECK(whole.failure.empty() && whole.text == bytes);
  } else if (text) {
    FUZZ_CHECK(whole.failure.empty() && whole.text == *text);
  } else {
    FUZZ_CHECK(!whole.failure.empty());
  }
}

std::string long_text() {
  std::string text;
  for (int k = 0; k < 9000; ++k) text += std::to_string(k * k % 97);
  return text;
}

}  // namespace askfew::fuzz
