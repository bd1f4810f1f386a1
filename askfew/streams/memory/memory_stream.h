#pragma once

#include <memory>
#include <string>
#include <vector>

#include "askfew/streams/memory/memory_rows.h"
#include "askfew/streams/stream.h"
#include "askfew/streams/stream_options.h"

namespace askfew {

/// Labelled instances in memory, for workflows that read files otherwise.
struct MemoryData {
  std::shared_ptr<MemoryRows> rows;
  std::vector<Examples::LabelId> labels{};  ///< one after the other
  /// Where the labels of each row end; empty: each row has one label.
  std::vector<std::size_t> label_ends{};
  /// The names of the labels 0, 1, 2, ...; empty: the labels are integers, as in svmlight.
  std::vector<std::string> names{};
};

/// Delivers labelled instances in memory, one block at a time.
class MemoryStream final : public Stream {
 public:
  /// THROWS: ConfigError if the labels do not fit the rows.
  MemoryStream(std::shared_ptr<const MemoryData> data, const StreamOptions& options);

  tl::expected<bool, ParseError> next(Examples& block) override;
  [[nodiscard]] std::string name() const override { return "X"; }
  Examples::LabelId label_id(std::string_view name) override;
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override;

 private:
  [[nodiscard]] LabelKind label_kind() const;
  [[nodiscard]] std::span<const Examples::LabelId> labels_of(std::size_t row) const;

  std::shared_ptr<const MemoryData> data_;
  FeatureOptions features_;
  const std::atomic<bool>* stop_;
  std::size_t next_ = 0;                      // the first row that was not delivered
  std::vector<std::string> names_of_no_row_;  // names that were looked up, and that no row has
};

}  // namespace askfew
