#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/tables/arff_header.h"
#include "askfew/streams/formats/tables/arff_parser.h"
#include "askfew/streams/formats/tables/table_opening.h"
#include "askfew/streams/formats/tables/table_row.h"

namespace askfew {

/// ARFF, the format of Weka and MOA: a header that declares the attributes, then one row per line, dense or
/// sparse.
class ArffFormat final : public Format {
 public:
  /// Do these bytes begin an ARFF file?
  static bool recognizes(std::string_view first_bytes);
  static bool recognizes_name(std::string_view path);

  /// THROWS: DataError for a malformed header or a missing attribute, ConfigError.
  ArffFormat(ByteSource& source, const TableOpening& opening, std::shared_ptr<LabelNames> names);

  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::size_t memory_per_byte() const override { return 16 + texts_.memory_per_byte(); }
  [[nodiscard]] std::uint64_t header_lines() const override { return header_lines_; }
  Examples::LabelId label_id(std::string_view name) override { return label_number(name, labels_); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return labels_.name(id); }

 private:
  ReadingShare columns_share_;
  TableSchema schema_;
  TextFeatures texts_;
  Unlabelled unlabelled_;
  MixedLabels labels_;
  TablePlan plan_;
  std::vector<ArffParser::Unwritten> unwritten_;
  std::uint64_t header_lines_ = 0;
};

}  // namespace askfew
