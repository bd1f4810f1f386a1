#include "askfew/streams/idx.h"

#include <charconv>
#include <fmt/format.h>

namespace askfew {
namespace {

constexpr std::string_view image_magic{"\0\0\x08\x03", 4};
constexpr std::string_view label_magic{"\0\0\x08\x01", 4};
constexpr std::uint64_t most_pixels = std::uint64_t{1} << 24;

/// Big-endian, as the format says. Empty if the file ends here.
std::uint64_t read_size(ByteSource& source, bool& complete) {
  unsigned char bytes[4] = {};
  complete = complete && source.read_fully(reinterpret_cast<char*>(bytes), 4) == 4;
  return (std::uint64_t{bytes[0]} << 24) | (std::uint64_t{bytes[1]} << 16) | (std::uint64_t{bytes[2]} << 8) |
         bytes[3];
}

std::string why_short(const ByteSource& source) {
  return source.name() + ": " + (source.failure().empty() ? "the file ends too early" : source.failure());
}

}  // namespace

bool IdxStream::recognizes(std::string_view first_bytes) {
  return first_bytes.starts_with(image_magic);
}

IdxStream::IdxStream(std::unique_ptr<ByteSource> images, std::unique_ptr<ByteSource> labels)
    : images_(std::move(images)), labels_(std::move(labels)) {
  read_headers();
}

void IdxStream::read_headers() {
  char magic[4] = {};
  if (images_->read_fully(magic, 4) != 4 || std::string_view(magic, 4) != image_magic) {
    malformed_ = images_->name() + ": not an IDX file of images";
    return;
  }
  bool complete = true;
  count_ = read_size(*images_, complete);
  const std::uint64_t rows = read_size(*images_, complete);
  const std::uint64_t columns = read_size(*images_, complete);
  if (!complete) {
    malformed_ = why_short(*images_);
    return;
  }
  if (rows * columns == 0 || rows * columns > most_pixels) {
    malformed_ = fmt::format("{}: images of {} x {} pixels", images_->name(), rows, columns);
    return;
  }
  pixels_.resize(rows * columns);
  if (labels_->read_fully(magic, 4) != 4 || std::string_view(magic, 4) != label_magic) {
    malformed_ = labels_->name() + ": not an IDX file of labels";
    return;
  }
  const std::uint64_t label_count = read_size(*labels_, complete);
  if (!complete) {
    malformed_ = why_short(*labels_);
  } else if (label_count != count_) {
    malformed_ = fmt::format("{}: {} labels for {} images", labels_->name(), label_count, count_);
  }
}

tl::expected<bool, ParseError> IdxStream::read(Examples& block) {
  const auto wrong = [](std::string why) { return tl::make_unexpected(ParseError{.why = std::move(why)}); };
  if (!malformed_.empty()) return wrong(malformed_);
  char label = 0;
  if (next_ == count_) {  // nothing may follow, and a gzip tells only at its end whether it is whole
    if (images_->read(&label, 1) != 0) return wrong(images_->name() + ": more bytes than images");
    if (labels_->read(&label, 1) != 0) return wrong(labels_->name() + ": more bytes than labels");
    if (!images_->failure().empty()) return wrong(why_short(*images_));
    if (!labels_->failure().empty()) return wrong(why_short(*labels_));
    return false;
  }
  if (images_->read_fully(pixels_.data(), pixels_.size()) != pixels_.size()) {
    return wrong(fmt::format("image {}: {}", next_ + 1, why_short(*images_)));
  }
  if (labels_->read_fully(&label, 1) != 1)
    return wrong(fmt::format("label {}: {}", next_ + 1, why_short(*labels_)));
  ++next_;
  block.begin(0);
  block.add_label(static_cast<unsigned char>(label));
  for (const char pixel : pixels_) block.add_dense(static_cast<unsigned char>(pixel) / 255.0);
  block.end_dense();
  return true;
}

Examples::LabelId IdxStream::label_id(std::string_view name) {
  Examples::LabelId id = 0;
  const auto [past, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error != std::errc{} || past != name.data() + name.size() || id < 0 || id > 255) {
    throw ConfigError(fmt::format("label '{}' is not a digit class from 0 to 255", name));
  }
  return id;
}

FeatureView::Index IdxStream::dimension() const {
  return static_cast<FeatureView::Index>(pixels_.size());
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
