#include "askfew/streams/formats/svmlight/svmlight.h"

#include "askfew/streams/formats/common/integer_labels.h"
#include "askfew/streams/formats/svmlight/svmlight_parser.h"

namespace askfew {
namespace {

/// Calls f(line) for the first lines of a file, without comments. The last line may be incomplete.
template <class F>
void for_each_line(std::string_view first_bytes, F&& f) {
  while (!first_bytes.empty()) {
    const std::string_view line = first_bytes.substr(0, first_bytes.find('\n'));
    first_bytes.remove_prefix(std::min(first_bytes.size(), line.size() + 1));
    f(line.substr(0, line.find('#')));
  }
}

LabelKind kind_of(std::string_view first_bytes) {
  LabelKindGuess guess;
  for_each_line(first_bytes, [&](std::string_view line) {
    const std::size_t end = line.find_first_of(" \t\r");
    if (end != std::string_view::npos) guess.see(line.substr(0, end));
  });
  // A class among -1 and +1 may be a typing error, which the run reports with its place.
  return guess.kind() == LabelKind::classes ? LabelKind::binary : guess.kind();
}

}  // namespace

SvmlightFormat::SvmlightFormat(ByteSource& source, const SvmlightIndices& indices) : indices_(indices) {
  set_facts(
      {.label_kind = kind_of(source.peek()), .input = InputKind::numbers, .dimension = indices.dimension});
}

std::unique_ptr<Parser> SvmlightFormat::parser() const {
  return std::make_unique<SvmlightParser>(indices_);
}

Examples::LabelId SvmlightFormat::label_id(std::string_view name) {
  return integer_label(name);
}

bool has_index_0(std::string_view first_bytes) {
  bool found = false;
  for_each_line(first_bytes, [&](std::string_view line) {
    Cursor cursor(line);
    cursor.skip_token();  // labels
    cursor.skip_blanks();
    if (cursor.rest().starts_with("qid:")) cursor.skip_token();
    cursor.skip_blanks();
    const auto first = cursor.whole_number();  // indices ascend
    found |= first && *first == 0 && cursor.accept(':');
  });
  return found;
}

}  // namespace askfew
