#include "askfew/streams/formats/idx.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <span>

namespace askfew {
namespace {

constexpr std::string_view image_magic{"\0\0\x08\x03", 4};
constexpr std::string_view label_magic{"\0\0\x08\x01", 4};
constexpr std::uint64_t max_pixels = std::uint64_t{1} << 24;

/// Big-endian, as the format says. `complete` becomes false if the file ends here.
std::uint64_t read_size(ByteSource& source, bool& complete) {
  unsigned char bytes[4] = {};
  complete = complete && source.read_fully(reinterpret_cast<char*>(bytes), 4) == 4;
  return (std::uint64_t{bytes[0]} << 24) | (std::uint64_t{bytes[1]} << 16) | (std::uint64_t{bytes[2]} << 8) |
         bytes[3];
}

std::string why_short(const ByteSource& source) {
  return source.failure().empty() ? "the file ends too early" : source.failure();
}

[[noreturn]] void refuse(const ByteSource& source, std::string why) {
  throw DataError(ParseError{.why = std::move(why), .file = source.name()});
}

void expect_magic(ByteSource& source, std::string_view magic, std::string_view what) {
  char bytes[4] = {};
  if (source.read_fully(bytes, 4) != 4 || std::string_view(bytes, 4) != magic) {
    refuse(source, fmt::format("not an IDX file of {}", what));
  }
}

class IdxParser final : public Parser {
 public:
  IdxParser(std::size_t pixels, std::span<const char> labels) : pixels_(pixels), labels_(labels) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override {
    std::size_t image = chunk.offset / pixels_;
    std::string_view rest = chunk.bytes;
    for (; rest.size() >= pixels_ && image < labels_.size(); ++image, rest.remove_prefix(pixels_)) {
      out.examples.begin(0);
      out.examples.add_label(static_cast<unsigned char>(labels_[image]));
      for (const char pixel : rest.substr(0, pixels_)) {
        out.examples.add_dense(static_cast<unsigned char>(pixel) / 255.0);
      }
      out.examples.end_dense();
    }
  }

 private:
  std::size_t pixels_;
  std::span<const char> labels_;
};

}  // namespace

bool IdxFormat::recognizes(std::string_view first_bytes) {
  return first_bytes.starts_with(image_magic);
}

IdxFormat::IdxFormat(ByteSource& images, ByteSource& labels) : labels_share_(images.limits().memory) {
  expect_magic(images, image_magic, "images");
  bool complete = true;
  const std::uint64_t count = read_size(images, complete);
  const std::uint64_t rows = read_size(images, complete);
  const std::uint64_t columns = read_size(images, complete);
  if (!complete) refuse(images, why_short(images));
  if (rows * columns == 0 || rows * columns > max_pixels) {
    refuse(images, fmt::format("images of {} x {} pixels", rows, columns));
  }
  pixels_ = rows * columns;
  set_facts({.label_kind = LabelKind::classes,
             .input = InputKind::numbers,
             .dimension = static_cast<FeatureView::Index>(pixels_)});
  expect_magic(labels, label_magic, "labels");
  const std::uint64_t label_count = read_size(labels, complete);
  if (!complete) refuse(labels, why_short(labels));
  if (label_count != count) refuse(labels, fmt::format("{} labels for {} images", label_count, count));
  // Reads the labels piece by piece: a small file may claim many.
  while (labels_.size() <= count) {
    const std::size_t before = labels_.size();
    labels_share_.resize(2 * before, "the labels");
    labels_.resize(std::min<std::size_t>(count + 1, before + 4096));
    const std::size_t got = labels.read_fully(labels_.data() + before, labels_.size() - before);
    labels_.resize(before + got);
    if (got == 0) break;
  }
  if (!labels.failure().empty()) refuse(labels, labels.failure());
  if (labels_.size() > count) refuse(labels, "more bytes than labels");
  if (labels_.size() < count)
    refuse(labels, fmt::format("label {}: the file ends too early", labels_.size() + 1));
}

std::unique_ptr<Parser> IdxFormat::parser() const {
  return std::make_unique<IdxParser>(pixels_, labels_);
}

std::string IdxFormat::wrong_at_end(std::uint64_t bytes) const {
  const std::uint64_t expected = labels_.size() * pixels_;
  if (bytes > expected) return "more bytes than images";
  if (bytes < expected) return fmt::format("image {}: the file ends too early", bytes / pixels_ + 1);
  return "";
}

Examples::LabelId IdxFormat::label_number(std::string_view name) {
  Examples::LabelId id = 0;
  const auto [past, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error != std::errc{} || past != name.data() + name.size() || id < 0 || id > 255) {
    throw ConfigError(fmt::format("label '{}' is not a digit class from 0 to 255", name));
  }
  return id;
}

std::string idx_labels_beside(const std::string& images) {
  std::string labels = images;
  const auto replace = [&](std::string_view from, std::string_view to) {
    const std::size_t slash = labels.find_last_of('/');
    const std::size_t at = labels.rfind(from);
    const bool in_name = at != std::string::npos && (slash == std::string::npos || at > slash);
    if (in_name) labels.replace(at, from.size(), to);
    return in_name;
  };
  const bool renamed = replace("images", "labels");
  replace("idx3", "idx1");
  return renamed ? labels : std::string();
}

}  // namespace askfew
