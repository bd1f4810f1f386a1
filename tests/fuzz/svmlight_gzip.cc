// svmlight text through the gzip layer, one line a block: the same rows and errors as from the plain text in
// one block.

#include <cmath>

#include "askfew/streams/svmlight.h"

#include "tests/fuzz/gzip_bytes.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/reading.h"
#include "tests/fuzz/svmlight_seeds.h"

namespace askfew::fuzz {
namespace {

/// Whatever the values, tiny or huge, the norm is 1 after, or there was nothing to scale.
void check_normalized(Examples& block) {
  const bool is_zero = block.x(0).size() == 0;  // svmlight keeps no zeros
  block.normalize(block.size() - 1);
  FUZZ_CHECK(is_zero || std::abs(block.x(0).squared_norm() - 1) < 1e-9);
}

void check_line_by_line(Stream& stream, const Reading& expected) {
  Examples block;
  std::size_t row = 0;
  std::size_t error = 0;
  while (true) {
    block.clear();
    const auto more = stream.read(block);
    if (!more) {
      FUZZ_CHECK(block.size() == 0);
      FUZZ_CHECK(error < expected.errors.size());
      FUZZ_CHECK(more.error().line == expected.errors[error].line);
      FUZZ_CHECK(more.error().column == expected.errors[error].column);
      FUZZ_CHECK(more.error().why == expected.errors[error].why);
      ++error;
    } else if (*more) {
      FUZZ_CHECK(row < expected.rows.size() && same_row(block, 0, expected.rows, row));
      check_normalized(block);
      ++row;
    } else {
      break;
    }
  }
  FUZZ_CHECK(row == expected.rows.size());
  FUZZ_CHECK(error == expected.errors.size());
}

}  // namespace

std::vector<std::string> seeds() {
  return svmlight_seeds();
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew;
  using namespace askfew::fuzz;
  const std::string_view text = text_of(data, size);
  if (text.starts_with("\x1f\x8b")) return 0;  // not plain text to the gzip layer
  const MemoryFile plain(text);
  const MemoryFile packed(gzip(text));
  SvmlightStream plain_stream(std::make_unique<ByteSource>(plain.path()));
  SvmlightStream packed_stream(std::make_unique<ByteSource>(packed.path()));
  check_line_by_line(packed_stream, read_all(plain_stream));
  return 0;
}
