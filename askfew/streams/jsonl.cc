#include "askfew/streams/jsonl.h"

#include <algorithm>
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
  JsonlParser(JsonReader reader, Form form, std::size_t numbers, const TextHasher::Options& hashing)
      : reader_(std::move(reader)), form_(form), numbers_(numbers), hasher_(hashing) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  tl::expected<void, ParseError> add(const JsonRecord& record, Examples& block);
  void add_words(const JsonRecord& record, Examples& block);
  tl::expected<void, ParseError> add_features(const JsonRecord& record, Examples& block);

  JsonReader reader_;
  Form form_;
  std::size_t numbers_;
  TextHasher hasher_;
  PaddedLine padded_;
  std::string text_;                           // scratch: several texts
  Examples words_;                             // scratch: features of a text that has others beside it
  std::vector<JsonRecord::Feature> features_;  // scratch: in their order
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
  if (record.features.empty()) {
    add_words(record, block);
  } else if (auto added = add_features(record, block); !added) {
    return added;
  }
  block.end_sparse();
  return {};
}

void JsonlParser::add_words(const JsonRecord& record, Examples& block) {
  if (record.texts.size() == 1) {
    hasher_.add(record.texts[0], block);
    return;
  }
  text_.clear();
  for (const std::string_view text : record.texts) text_.append(text).append("\n");
  hasher_.add(text_, block);
}

/// Features in their order, together with those of a text if there is one. What hashing puts into one place
/// is added up; an index that is there twice is a mistake.
tl::expected<void, ParseError> JsonlParser::add_features(const JsonRecord& record, Examples& block) {
  features_ = record.features;
  if (!record.texts.empty()) {
    words_.clear();
    words_.begin(0);
    add_words(record, words_);
    words_.end_sparse();
    const FeatureView x = words_.x(0);
    for (std::size_t k = 0; k < x.size(); ++k) features_.push_back({x.indices()[k], x.values()[k]});
  }
  std::sort(features_.begin(), features_.end(), [](auto& a, auto& b) { return a.index < b.index; });
  for (auto from = features_.begin(); from != features_.end();) {
    double sum = from->value;
    auto past = from + 1;
    for (; past != features_.end() && past->index == from->index; ++past) sum += past->value;
    if (form_ == Form::indices && past - from > 1) {
      return tl::make_unexpected(ParseError{.column = record.column,
                                            .why = fmt::format("the index {} is there twice", from->index)});
    }
    if (sum != 0) block.add_feature(from->index, sum);
    from = past;
  }
  return {};
}

}  // namespace

JsonlFormat::JsonlFormat(ByteSource& source, Index dimension, const TextHasher::Options& hashing,
                         std::shared_ptr<LabelNames> names)
    : index_dimension_(dimension), hashing_(hashing), labels_(std::move(names)) {
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
  return {TextHasher(hashing_).dimension(), dimension, labels_};
}

std::unique_ptr<Parser> JsonlFormat::parser() const {
  return std::make_unique<JsonlParser>(reader(), form_, numbers_, hashing_);
}

FeatureView::Index JsonlFormat::dimension() const {
  switch (form_) {
    case Form::numbers:
      return numbers_;
    case Form::indices:
      return index_dimension_;
    default:
      return TextHasher(hashing_).dimension();
  }
}

}  // namespace askfew
