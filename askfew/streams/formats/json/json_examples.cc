#include "askfew/streams/formats/json/json_examples.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

namespace askfew {
namespace {

using Form = JsonRecord::Form;

std::string_view name_of(Form form) {
  switch (form) {
    case Form::numbers:
      return "'x'";
    case Form::indices:
      return "'features' with indices";
    default:
      return "'text' or 'features' with names";
  }
}

}  // namespace

tl::expected<void, ParseError> JsonExamples::add(const JsonRecord& record, Examples& block) {
  const auto wrong = [&](std::string why) {
    return tl::make_unexpected(ParseError{.column = record.column, .why = std::move(why)});
  };
  if (record.form != shape_.form) {
    return wrong(fmt::format("{} in a file that began with {}", name_of(record.form), name_of(shape_.form)));
  }
  for (const Examples::LabelId id : record.labels) block.add_label(id);
  if (record.time) block.set_time(*record.time);
  if (record.id) block.set_id(record.id->text);
  if (shape_.form == Form::numbers) {
    if (record.numbers.size() != shape_.numbers)
      return wrong(fmt::format("x has length {}, and that of the first instance is {}", record.numbers.size(),
                               shape_.numbers));
    block.add_dense(record.numbers);
    block.end_dense();
    return {};
  }
  std::string why = shape_.form == Form::words ? add_words(record, block) : add_indexed(record, block);
  if (!why.empty()) return wrong(std::move(why));
  block.end_sparse();
  return {};
}

std::string JsonExamples::add_words(const JsonRecord& record, Examples& block) {
  for (const JsonRecord::Text& text : record.texts) {
    features_.add(text.text, block, scratch_, text.field.empty() ? TextField() : TextField(text.field));
  }
  features_.finish(block, scratch_);
  if (record.named.empty()) return "";
  double sum = 0;
  for (const JsonRecord::Named& feature : record.named) {
    const std::string_view name = std::string_view(record.names).substr(feature.begin, feature.size);
    block.add_feature(features_.named(name, block, scratch_), feature.value);
    sum += std::abs(feature.value);
  }
  block.sort_features();
  return std::isfinite(sum) ? "" : "the features are too large to be added up";
}

std::string JsonExamples::add_indexed(const JsonRecord& record, Examples& block) {
  indexed_ = record.indexed;
  std::sort(indexed_.begin(), indexed_.end(), [](auto& a, auto& b) { return a.index < b.index; });
  for (std::size_t k = 0; k < indexed_.size(); ++k) {
    if (k > 0 && indexed_[k].index == indexed_[k - 1].index)
      return fmt::format("the index {} occurs twice", indexed_[k].index);
    block.add_feature(indexed_[k].index, indexed_[k].value);
  }
  return "";
}

}  // namespace askfew
