#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askfew/streams/formats/tables/table_schema.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// Several files, one after the other as if they were one.
class FilesStream final : public Stream {
 public:
  /// `table` is how the files before it are read; null for the first file, and if they are no tables.
  using Open = std::function<std::unique_ptr<Stream>(const std::string& path, const TableSchema* table)>;

  /// Opens the first file, and each other one when its turn comes; that all are there is checked now.
  /// REQUIRES: at least one path. THROWS: what `open` throws.
  FilesStream(std::vector<std::string> paths, std::shared_ptr<Skipped> skipped, Open open);

  /// THROWS: what `open` throws; DataError for a file of another dimension than the first.
  tl::expected<bool, ParseError> next(Examples& block) override;
  [[nodiscard]] std::string name() const override { return file_->name(); }
  Examples::LabelId label_id(std::string_view name) override { return file_->label_id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return file_->label_name(id); }
  [[nodiscard]] LabelKind label_kind() const override { return kind_; }
  [[nodiscard]] std::vector<Origin> origins() const override { return origins_; }
  [[nodiscard]] std::vector<std::string> some_labels() const override { return file_->some_labels(); }
  [[nodiscard]] FeatureView::Index dimension() const override { return dimension_; }
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] const TableSchema* table() const override { return table_ ? &*table_ : nullptr; }

 private:
  void open_next();

  std::vector<std::string> paths_;
  Open open_;
  std::size_t next_path_ = 1;
  std::unique_ptr<Stream> file_;    // the one at hand
  std::vector<Origin> origins_;     // of all
  std::vector<std::string> notes_;  // of those before it
  LabelKind kind_;
  FeatureView::Index dimension_;
  std::optional<TableSchema> table_;  // of the first
};

}  // namespace askfew
