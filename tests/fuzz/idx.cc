// IDX images and labels. One input contains both files; the second starts at the last magic number of a label
// file.

#include "askfew/streams/open.h"

#include "tests/fuzz/harness.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/reading.h"

namespace askfew::fuzz {
namespace {

using namespace std::string_literals;

constexpr std::size_t image_header = 16;
constexpr std::size_t label_header = 8;
const std::string label_mark = "\0\0\x08\x01"s;

struct Files {
  std::string_view images;
  std::string_view labels;
};

Files split(std::string_view bytes) {
  const std::size_t mark = bytes.rfind(label_mark);
  const std::size_t at = mark == std::string_view::npos ? bytes.size() / 2 : mark;
  return {.images = bytes.substr(0, at), .labels = bytes.substr(at)};
}

/// Compares every pixel with its byte.
void check_image(const Examples& block, std::size_t row, std::size_t image, const Files& files) {
  const FeatureView x = block.x(row);
  FUZZ_CHECK(x.is_dense());
  FUZZ_CHECK(block.labels(row).size() == 1);
  FUZZ_CHECK(block.labels(row)[0] == static_cast<unsigned char>(files.labels[label_header + image]));
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto byte = static_cast<unsigned char>(files.images[image_header + image * x.size() + k]);
    FUZZ_CHECK(x.values()[k] == byte / 255.0);
  }
}

}  // namespace

std::vector<std::string> seeds() {
  const std::string images = "\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03"s;
  return {images + "abcdef\0\x7f\xff\x01\x02\x03"s + "\0\0\x08\x01\0\0\0\x02\x05\xff"s,
          "\0\0\x08\x03\0\0\0\x01\0\0\x10\0\0\0\x10\0z"s + "\0\0\x08\x01\0\0\0\x01\0"s,
          images + "\0\0\x08\x01\0\0\0\x03"s};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew;
  using namespace askfew::fuzz;
  const Files files = split(text_of(data, size));
  const MemoryFile images(files.images);
  const MemoryFile labels(files.labels);
  const bool packed = files.images.starts_with("\x1f\x8b") || files.labels.starts_with("\x1f\x8b");
  try {
    const auto stream = open_stream(images.path(), {.format = "idx", .idx_labels = labels.path()});
    Examples block;
    std::size_t image = 0;
    auto more = stream->next(block);
    for (; more && *more; more = stream->next(block)) {
      for (std::size_t row = 0; row < block.size(); ++row, ++image) {
        FUZZ_CHECK(block.x(row).size() == stream->facts().dimension);
        check_row(block, row, stream->facts().dimension);
        if (!packed) check_image(block, row, image, files);
      }
    }
    if (more) return 0;
    FUZZ_CHECK(more.error().line == 0 && more.error().column == 0);  // the format has no lines and columns
    FUZZ_CHECK(!more.error().why.empty());
  } catch (const DataError& error) {  // a header
    FUZZ_CHECK(*error.what() != '\0');
  }
  return 0;
}
