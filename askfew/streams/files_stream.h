#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "askfew/streams/stream.h"

namespace askfew {

/// Several files, read one after the other like a single file.
class FilesStream final : public Stream {
 public:
  /// `before`: the facts of the first file; empty when the first file is opened.
  using Open = std::function<std::unique_ptr<Stream>(const std::string& path, const StreamFacts& before)>;

  /// Opens the first file now, and each further file when it is needed; checks now that all files exist.
  /// REQUIRES: at least one path. THROWS: what `open` throws.
  FilesStream(std::vector<std::string> paths, std::shared_ptr<Skipped> skipped, Open open);

  /// THROWS: what `open` throws; DataError for a file with another dimension than the first.
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
  std::unique_ptr<Stream> file_;    // the current file
  bool is_empty_ = true;            // it, so far; false: that was told
  std::vector<std::string> notes_;  // notes of the files before
};

}  // namespace askfew
