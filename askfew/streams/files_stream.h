#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "askfew/streams/stream.h"

namespace askfew {

/// Several files, one after the other as if they were one.
class FilesStream final : public Stream {
 public:
  /// `before`: the facts of the first file; nothing in them when that one is opened.
  using Open = std::function<std::unique_ptr<Stream>(const std::string& path, const StreamFacts& before)>;

  /// Opens the first file, and each other one when its turn comes; that all are there is checked now.
  /// REQUIRES: at least one path. THROWS: what `open` throws.
  FilesStream(std::vector<std::string> paths, std::shared_ptr<Skipped> skipped, Open open);

  /// THROWS: what `open` throws; DataError for a file of another dimension than the first.
  tl::expected<bool, ParseError> next(Examples& block) override;
  [[nodiscard]] std::string name() const override { return file_->name(); }
  Examples::LabelId label_id(std::string_view name) override { return file_->label_id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return file_->label_name(id); }
  [[nodiscard]] std::vector<std::string> notes() const override;

 private:
  void open_next();

  std::vector<std::string> paths_;
  Open open_;
  std::size_t next_path_ = 1;
  std::unique_ptr<Stream> file_;    // the one at hand
  std::vector<std::string> notes_;  // of those before it
};

}  // namespace askfew
