#include "askfew/streams/memory/memory_stream.h"

#include <algorithm>
#include <fmt/core.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/streams/formats/common/integer_labels.h"

namespace askfew {
namespace {

constexpr std::size_t rows_a_block = 512;

}  // namespace

MemoryStream::MemoryStream(std::shared_ptr<const MemoryData> data, const StreamOptions& options)
    : data_(std::move(data)), features_(options.features), stop_(options.stop) {
  const std::size_t rows = data_->rows->size();
  const std::size_t labelled = data_->label_ends.empty() ? data_->labels.size() : data_->label_ends.size();
  if (options.unlabelled != Unlabelled::accepted && labelled != rows) {
    throw ConfigError(fmt::format("{} rows and {} labels: each row needs one", rows, labelled));
  }
  data_->rows->set_text_options(features_.text);
  const FeatureView::Index dimension = data_->rows->dimension();
  set_facts({.label_kind = label_kind(),
             .input = data_->rows->has_words() ? InputKind::text : InputKind::numbers,
             .some_labels = {},
             .dimension = dimension == 0 ? 0 : dimension + (features_.bias == 0 ? 0 : 1)});
}

LabelKind MemoryStream::label_kind() const {
  if (!data_->label_ends.empty()) return LabelKind::topics;
  if (!data_->names.empty()) return LabelKind::classes;
  LabelKindGuess guess;
  for (const Examples::LabelId label : data_->labels) guess.see(label);
  return guess.kind();
}

tl::expected<bool, ParseError> MemoryStream::next(Examples& block) {
  block.clear();
  if (stop_ != nullptr && *stop_) return false;
  const std::size_t past = std::min(data_->rows->size(), next_ + rows_a_block);
  for (; next_ < past; ++next_) append_row(*data_->rows, next_, labels_of(next_), features_, block);
  return block.size() > 0;
}

std::span<const Examples::LabelId> MemoryStream::labels_of(std::size_t row) const {
  const std::span<const Examples::LabelId> labels = data_->labels;
  if (labels.empty()) return {};
  const std::vector<std::size_t>& ends = data_->label_ends;
  const std::size_t begin = ends.empty() ? row : row == 0 ? 0 : ends[row - 1];
  const std::size_t end = ends.empty() ? row + 1 : ends[row];
  return labels.subspan(begin, end - begin);
}

Examples::LabelId MemoryStream::label_id(std::string_view name) {
  if (data_->names.empty()) return integer_label(name);
  const auto found = std::find(data_->names.begin(), data_->names.end(), name);
  if (found != data_->names.end()) return static_cast<Examples::LabelId>(found - data_->names.begin());
  auto other = std::find(names_of_no_row_.begin(), names_of_no_row_.end(), name);
  if (other == names_of_no_row_.end()) other = names_of_no_row_.emplace(other, name);
  return static_cast<Examples::LabelId>(data_->names.size()) +
         static_cast<Examples::LabelId>(other - names_of_no_row_.begin());
}

std::string MemoryStream::label_name(Examples::LabelId id) const {
  if (data_->names.empty()) return std::to_string(id);
  const auto number = static_cast<std::size_t>(id);
  const std::size_t known = data_->names.size();
  return number < known ? data_->names[number] : names_of_no_row_[number - known];
}

}  // namespace askfew
