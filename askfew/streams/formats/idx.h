#pragma once

#include <string_view>
#include <vector>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"

namespace askfew {

/// IDX digits, the format of MNIST: a file of images and a file of labels. A pixel v becomes the value v/255
/// of a dense instance.
class IdxFormat final : public Format {
 public:
  /// Do these bytes begin an IDX image file (unsigned bytes, three dimensions)?
  static bool recognizes(std::string_view first_bytes);

  /// Reads the header of the images and all labels. THROWS: DataError if a file is malformed.
  IdxFormat(ByteSource& images, ByteSource& labels);

  [[nodiscard]] std::size_t whole_records(std::string_view bytes, std::size_t& /*looked_at*/) const override {
    return bytes.size() / pixels_ * pixels_;
  }
  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::string wrong_at_end(std::uint64_t bytes) const override;
  [[nodiscard]] bool has_lines() const override { return false; }
  /// THROWS: ConfigError if the name is not a number.
  static Examples::LabelId label_number(std::string_view name);
  Examples::LabelId label_id(std::string_view name) override { return label_number(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return std::to_string(id); }

 private:
  std::size_t pixels_ = 0;  // pixels per image
  ReadingShare labels_share_;
  std::vector<char> labels_;  // labels of all images
};

/// The label file for an image file, by the names of the MNIST distribution.
std::string idx_labels_beside(const std::string& images);

}  // namespace askfew
