#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// IDX digits, the format of MNIST: an image file of bytes and a label file beside it. A pixel v becomes the
/// value v/255 of a dense instance.
class IdxStream final : public Stream {
 public:
  /// Do these bytes begin an IDX image file (unsigned bytes, three dimensions)?
  static bool recognizes(std::string_view first_bytes);

  IdxStream(std::unique_ptr<ByteSource> images, std::unique_ptr<ByteSource> labels);

  tl::expected<bool, ParseError> read(Examples& block) override;
  Examples::LabelId label_id(std::string_view name) override;
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return std::to_string(id); }
  [[nodiscard]] LabelKind label_kind() const override { return LabelKind::classes; }
  [[nodiscard]] FeatureView::Index dimension() const override;

 private:
  void read_headers();

  std::unique_ptr<ByteSource> images_;
  std::unique_ptr<ByteSource> labels_;
  std::string malformed_;  // why the headers are wrong, empty if they are right
  std::uint64_t count_ = 0;
  std::uint64_t next_ = 0;
  std::vector<char> pixels_;  // of one image
};

/// The label file that goes with an image file, by the names of the MNIST distribution.
std::string idx_labels_beside(const std::string& images);

}  // namespace askfew
