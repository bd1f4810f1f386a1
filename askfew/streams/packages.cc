#include "askfew/streams/packages.h"

#include "askfew/core/text.h"

namespace askfew {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

PackagesStream::PackagesStream(std::unique_ptr<ByteSource> source, LabelField field,
                               const TextOptions& text)
    : source_(std::move(source)), lines_(*source_), field_(field), features_(text), scratch_(features_) {}

tl::expected<bool, ParseError> PackagesStream::read(Examples& block) {
  if (auto stanza = read_stanza(); !stanza) return tl::make_unexpected(stanza.error());
  if (stanza_.line == 0) return false;
  if (!is_utf8(stanza_.labels)) {
    return tl::make_unexpected(ParseError{
        .line = stanza_.line, .column = 1, .why = "label " + in_quotes(stanza_.labels) + " is not UTF-8"});
  }
  block.begin(stanza_.line);
  add_labels(block);
  features_.add(stanza_.text, block, scratch_);
  features_.finish(block, scratch_);
  block.end_sparse();
  return true;
}

tl::expected<void, ParseError> PackagesStream::read_stanza() {
  stanza_.line = 0;
  stanza_.text.clear();
  stanza_.labels.clear();
  std::string* field = nullptr;  // what a continued line belongs to
  std::string_view line;
  while (lines_.next(line)) {
    if (trim(line).empty()) {
      if (stanza_.line != 0) return {};
      continue;
    }
    const auto wrong = [&](std::string_view why) {
      return tl::make_unexpected(ParseError{.line = lines_.number(), .column = 1, .why = std::string(why)});
    };
    std::string_view value = line;
    if (line.front() == ' ' || line.front() == '\t') {
      if (stanza_.line == 0) return wrong("a continued line before any field");
    } else {
      const std::size_t colon = line.find(':');
      if (colon == std::string_view::npos || colon == 0)
        return wrong("not 'Field: value', a continued line or an empty line");
      if (stanza_.line == 0) stanza_.line = lines_.number();
      const std::string_view name = line.substr(0, colon);
      value = line.substr(colon + 1);
      field = nullptr;
      if (name == "Package" || name == "Description" || name == "Description-en") field = &stanza_.text;
      if (name == (field_ == LabelField::section ? "Section" : "Tag")) field = &stanza_.labels;
    }
    if (field != nullptr) field->append(" ").append(value);
  }
  if (source_->failure().empty()) return {};
  return tl::make_unexpected(ParseError{.line = lines_.number() + 1, .column = 1, .why = source_->failure()});
}

void PackagesStream::add_labels(Examples& block) {
  std::string_view rest = stanza_.labels;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::string_view name = trim(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    // Ubuntu writes the component before the section: universe/games.
    if (field_ == LabelField::section) name = name.substr(name.rfind('/') + 1);
    if (!name.empty()) block.add_label(label_id(name));
  }
}

Examples::LabelId PackagesStream::label_id(std::string_view name) {
  const auto [entry, added] =
      ids_.try_emplace(std::string(name), static_cast<Examples::LabelId>(names_.size()));
  if (added) names_.emplace_back(name);
  return entry->second;
}

std::string PackagesStream::label_name(Examples::LabelId id) const {
  return names_.at(static_cast<std::size_t>(id));
}

}  // namespace askfew
