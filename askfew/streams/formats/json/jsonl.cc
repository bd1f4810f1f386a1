#include "askfew/streams/formats/json/jsonl.h"

#include <algorithm>
#include <utility>

#include "askfew/streams/formats/svmlight/svmlight.h"

namespace askfew {
namespace {

using Form = JsonRecord::Form;

constexpr std::size_t usual_look_ahead = std::size_t{1} << 18;

/// Removes and returns the next line, without its line end.
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

/// Lines with readable bytes after them: the last lines of a chunk are copied, other lines are used in place.
class PaddedLine {
 public:
  /// `behind`: number of bytes of the chunk after the line.
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
  JsonlParser(JsonReader reader, JsonShape shape, const TextFeatures& features, Unlabelled unlabelled)
      : reader_(std::move(reader)), examples_(shape, features), unlabelled_(unlabelled) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  JsonReader reader_;
  JsonExamples examples_;
  Unlabelled unlabelled_;
  PaddedLine padded_;
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
    const bool is_unlabelled = (*record)->labels.empty() && (*record)->label_kind != LabelKind::topics;
    if (is_unlabelled && unlabelled_ == Unlabelled::skipped) {
      ++out.unlabelled;
      continue;
    }
    if (is_unlabelled && unlabelled_ == Unlabelled::malformed) {
      if (!fail({.column = 1, .why = reader_.no_label() + std::string(unlabelled_hint)})) return;
      continue;
    }
    out.examples.begin(out.lines);
    if (auto added = examples_.add(**record, out.examples); !added) {
      out.examples.abandon();
      if (!fail(added.error())) return;
    }
  }
}

}  // namespace

JsonlFormat::JsonlFormat(ByteSource& source, const Options& options, std::shared_ptr<LabelNames> names)
    : index_dimension_(options.dimension),
      keys_(options.keys),
      unlabelled_(options.unlabelled),
      features_(options.text),
      labels_(std::move(names)) {
  // The first record shows the form; all available records show the kind of labels.
  JsonReader first = reader();
  PaddedLine padded;
  bool has_form = false;
  LabelKind kind = LabelKind::binary;
  const std::size_t longest = source.limits().longest_record(memory_per_byte(), usual_look_ahead);
  std::string_view bytes = without_mark(source.peek_line(longest));
  while (!bytes.empty()) {
    const std::string_view line = take_line(bytes);
    if (line.size() > longest) break;  // the stream will say so
    const auto record = is_blank(line) ? nullptr : first.read(padded(line, bytes.size())).value_or(nullptr);
    if (record == nullptr) continue;  // also the last line, if it is incomplete
    if (!has_form) {
      shape_ = JsonShape::of(*record);
      has_form = true;
    }
    kind = std::max(kind, record->label_kind);
  }
  set_facts({.label_kind = kind, .input = input(), .dimension = dimension()});
  skip_byte_order_mark(source);
}

JsonReader JsonlFormat::reader() const {
  const Index dimension = index_dimension_ != 0 ? index_dimension_ : SvmlightFormat::max_features;
  return {dimension, labels_, keys_};
}

std::unique_ptr<Parser> JsonlFormat::parser() const {
  return std::make_unique<JsonlParser>(reader(), shape_, features_, unlabelled_);
}

InputKind JsonlFormat::input() const {
  return shape_.form == Form::words ? InputKind::text : InputKind::numbers;
}

FeatureView::Index JsonlFormat::dimension() const {
  switch (shape_.form) {
    case Form::numbers:
      return static_cast<Index>(shape_.numbers);
    case Form::indices:
      return index_dimension_;
    default:
      return features_.dimension();
  }
}

}  // namespace askfew
