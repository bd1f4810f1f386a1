#include "askfew/streams/formats/packages.h"

#include <utility>

#include "askfew/config/text.h"
#include "askfew/streams/text_bytes.h"

namespace askfew {
namespace {

using LabelField = PackagesFormat::LabelField;

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

class PackagesParser final : public Parser {
 public:
  PackagesParser(LabelField field, const TextFeatures& features, LabelNames& names)
      : field_(field), features_(features), scratch_(features), names_(names) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  struct Stanza {
    std::uint64_t line = 0;  // 0 while no field was read
    std::string text;
    std::string labels;
    std::string* field = nullptr;  // the field that a continuation line belongs to
  };

  /// The fault of a line, or an empty text.
  std::string_view add_line(std::string_view line, std::uint64_t number);
  /// Makes an example from the stanza, if there is one; false if it is malformed and ends the stream.
  bool finish(ParsedChunk& out);
  void add_labels(Examples& block);

  LabelField field_;
  const TextFeatures& features_;
  TextScratch scratch_;
  LabelNames& names_;
  Stanza stanza_;
};

void PackagesParser::parse(const Chunk& chunk, ParsedChunk& out) {
  std::string_view rest = chunk.bytes;
  bool malformed = false;  // skips the rest of the stanza
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++out.lines;
    if (trim(line).empty()) {
      if (!malformed && !finish(out)) return;
      malformed = false;
      stanza_.line = 0;
    } else if (!malformed) {
      const std::string_view why = add_line(line, out.lines);
      malformed = !why.empty();
      if (malformed && !out.fail({.line = out.lines, .column = 1, .why = std::string(why)})) return;
    }
  }
  if (!malformed) static_cast<void>(finish(out));
  stanza_.line = 0;
}

std::string_view PackagesParser::add_line(std::string_view line, std::uint64_t number) {
  if (const std::string_view fault = fault_of_nul(line); !fault.empty()) return fault;
  std::string_view value = line;
  if (line.front() == ' ' || line.front() == '\t') {
    if (stanza_.line == 0) return "a continued line before any field";
  } else {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      return "not 'Field: value', a continued line or an empty line";
    }
    if (stanza_.line == 0) {
      stanza_.line = number;
      stanza_.text.clear();
      stanza_.labels.clear();
    }
    const std::string_view name = line.substr(0, colon);
    value = line.substr(colon + 1);
    stanza_.field = nullptr;
    if (name == "Package" || name == "Description" || name == "Description-en") stanza_.field = &stanza_.text;
    if (name == (field_ == LabelField::section ? "Section" : "Tag")) stanza_.field = &stanza_.labels;
  }
  if (stanza_.field != nullptr) stanza_.field->append(" ").append(value);
  return "";
}

bool PackagesParser::finish(ParsedChunk& out) {
  if (stanza_.line == 0) return true;
  if (!is_utf8(stanza_.labels)) {
    return out.fail(
        {.line = stanza_.line, .column = 1, .why = "label " + in_quotes(stanza_.labels) + " is not UTF-8"});
  }
  out.examples.begin(stanza_.line);
  add_labels(out.examples);
  features_.add(stanza_.text, out.examples, scratch_);
  features_.finish(out.examples, scratch_);
  if (scratch_.take_not_utf8()) out.count_not_utf8(stanza_.line);
  out.examples.end_sparse();
  return true;
}

void PackagesParser::add_labels(Examples& block) {
  std::string_view rest = stanza_.labels;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::string_view name = trim(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    // Ubuntu writes the component before the section: universe/games.
    if (field_ == LabelField::section) name = name.substr(name.rfind('/') + 1);
    if (!name.empty()) block.add_label(names_.id(name));
  }
}

}  // namespace

PackagesFormat::PackagesFormat(LabelField field, const TextOptions& text, std::shared_ptr<LabelNames> names)
    : field_(field), features_(text), names_(std::move(names)) {
  set_facts({.label_kind = field == LabelField::section ? LabelKind::classes : LabelKind::topics,
             .input = InputKind::text,
             .dimension = features_.dimension()});
}

/// A stanza ends with an empty line. (A line of blanks also ends it, but does not occur in practice.)
std::size_t PackagesFormat::whole_records(std::string_view bytes, std::size_t& looked_at) const {
  return past_last({"\n\n", "\n\r\n"}, bytes, looked_at);
}

std::unique_ptr<Parser> PackagesFormat::parser() const {
  return std::make_unique<PackagesParser>(field_, features_, *names_);
}

}  // namespace askfew
