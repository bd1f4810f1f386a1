#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "askfew/features/text_features.h"
#include "askfew/streams/line_reader.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// Debian package lists, as `apt-cache dumpavail` prints them: stanzas of `Field: value` lines, continued by
/// lines that begin with a space. The text is the name and description of a package; the label is its
/// section, or its debtags (several or none).
class PackagesStream final : public Stream {
 public:
  enum class LabelField : std::uint8_t { section, tag };

  /// Do these bytes begin a package list?
  static bool recognizes(std::string_view first_bytes) { return first_bytes.starts_with("Package:"); }

  PackagesStream(std::unique_ptr<ByteSource> source, LabelField field, const TextOptions& text);

  tl::expected<bool, ParseError> read(Examples& block) override;
  Examples::LabelId label_id(std::string_view name) override;
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override;
  [[nodiscard]] LabelKind label_kind() const override {
    return field_ == LabelField::section ? LabelKind::classes : LabelKind::topics;
  }
  [[nodiscard]] FeatureView::Index dimension() const override { return features_.dimension(); }

 private:
  struct Stanza {
    std::uint64_t line = 0;  // 0 while no field was read
    std::string text;
    std::string labels;
  };

  tl::expected<void, ParseError> read_stanza();
  void add_labels(Examples& block);

  std::unique_ptr<ByteSource> source_;
  LineReader lines_;
  LabelField field_;
  TextFeatures features_;
  TextScratch scratch_;
  Stanza stanza_;
  std::unordered_map<std::string, Examples::LabelId> ids_;
  std::vector<std::string> names_;
};

}  // namespace askfew
