#include "askfew/streams/jsonl.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "askfew/streams/svmlight.h"

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

/// The next line without its end, which is taken from the bytes.
std::string_view take_line(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

/// Lines with readable bytes behind them: the last ones of a chunk are copied, all others are where they are.
class PaddedLine {
 public:
  /// `behind` are the bytes of the chunk behind the line.
  std::string_view operator()(std::string_view line, std::size_t behind) {
    if (behind >= JsonReader::padding) return line;
    copy_.assign(line);
    copy_.append(JsonReader::padding, ' ');
    return std::string_view(copy_).substr(0, line.size());
  }

 private:
  std::string copy_;
};

class JsonlParser final : public Parser {
 public:
  JsonlParser(JsonReader reader, Form form, std::size_t numbers, const TextFeatures& features)
      : reader_(std::move(reader)), form_(form), numbers_(numbers), features_(features), scratch_(features) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  tl::expected<void, ParseError> add(const JsonRecord& record, Examples& block);
  /// What is wrong with its features, or an empty text.
  std::string add_words(const JsonRecord& record, Examples& block);
  std::string add_indexed(const JsonRecord& record, Examples& block);

  JsonReader reader_;
  Form form_;
  std::size_t numbers_;
  const TextFeatures& features_;
  TextScratch scratch_;
  PaddedLine padded_;
  std::vector<JsonRecord::Indexed> indexed_;  // scratch: features in their order
};

void JsonlParser::parse(const Chunk& chunk, ParsedChunk& out) {
  std::string_view rest = chunk.bytes;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    ++out.lines;
    if (is_blank(line)) continue;
    const auto fail = [&](ParseError error) {
      error.line = out.lines;
      return out.fail(std::move(error));
    };
    const auto record = reader_.read(padded_(line, rest.size()));
    if (!record) {
      if (!fail(record.error())) return;
      continue;
    }
    out.examples.begin(out.lines);
    if (auto added = add(**record, out.examples); !added) {
      out.examples.abandon();
      if (!fail(added.error())) return;
    }
  }
}

tl::expected<void, ParseError> JsonlParser::add(const JsonRecord& record, Examples& block) {
  const auto wrong = [&](std::string why) {
    return tl::make_unexpected(ParseError{.column = record.column, .why = std::move(why)});
  };
  if (record.form != form_) {
    return wrong(fmt::format("{} in a file that began with {}", name_of(record.form), name_of(form_)));
  }
  for (const Examples::LabelId id : record.labels) block.add_label(id);
  if (record.time) block.set_time(*record.time);
  if (form_ == Form::numbers) {
    if (record.numbers.size() != numbers_)
      return wrong(fmt::format("x has {} numbers, the first has {}", record.numbers.size(), numbers_));
    for (const double value : record.numbers) block.add_dense(value);
    block.end_dense();
    return {};
  }
  std::string why = form_ == Form::words ? add_words(record, block) : add_indexed(record, block);
  if (!why.empty()) return wrong(std::move(why));
  block.end_sparse();
  return {};
}

std::string JsonlParser::add_words(const JsonRecord& record, Examples& block) {
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

std::string JsonlParser::add_indexed(const JsonRecord& record, Examples& block) {
  indexed_ = record.indexed;
  std::sort(indexed_.begin(), indexed_.end(), [](auto& a, auto& b) { return a.index < b.index; });
  for (std::size_t k = 0; k < indexed_.size(); ++k) {
    if (k > 0 && indexed_[k].index == indexed_[k - 1].index)
      return fmt::format("the index {} is there twice", indexed_[k].index);
    block.add_feature(indexed_[k].index, indexed_[k].value);
  }
  return "";
}

}  // namespace

JsonlFormat::JsonlFormat(ByteSource& source, Index dimension, const TextOptions& text,
                         std::shared_ptr<LabelNames> names)
    : index_dimension_(dimension), features_(text), labels_(std::move(names)) {
  // The first record tells the form, all that are there tell the labels.
  JsonReader first = reader();
  PaddedLine padded;
  bool has_form = false;
  std::string_view bytes = source.peek_line();
  while (!bytes.empty()) {
    const std::string_view line = take_line(bytes);
    const auto record = is_blank(line) ? nullptr : first.read(padded(line, bytes.size())).value_or(nullptr);
    if (record == nullptr) continue;  // also the last one, if it is not there to its end
    if (!has_form) {
      form_ = record->form;
      numbers_ = static_cast<Index>(record->numbers.size());
      has_form = true;
    }
    kind_ = std::max(kind_, record->label_kind);
  }
}

JsonReader JsonlFormat::reader() const {
  const Index dimension = index_dimension_ != 0 ? index_dimension_ : SvmlightFormat::most_features;
  return {dimension, labels_};
}

std::unique_ptr<Parser> JsonlFormat::parser() const {
  return std::make_unique<JsonlParser>(reader(), form_, numbers_, features_);
}

FeatureView::Index JsonlFormat::dimension() const {
  switch (form_) {
    case Form::numbers:
      return numbers_;
    case Form::indices:
      return index_dimension_;
    default:
      return features_.dimension();
  }
}

}  // namespace askfew
