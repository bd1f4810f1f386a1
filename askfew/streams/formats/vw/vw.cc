#include "askfew/streams/formats/vw/vw.h"

#include "askfew/streams/formats/common/integer_labels.h"
#include "askfew/streams/formats/vw/vw_parser.h"

namespace askfew {
namespace {

/// The first word before the bar of a line, if a blank follows the word: a word that touches the bar is a
/// tag.
std::string_view label_of(std::string_view line) {
  const std::string_view head = line.substr(0, line.find('|'));
  const std::size_t begin = std::min(head.find_first_not_of(" \t"), head.size());
  const std::size_t end = head.find_first_of(" \t", begin);
  return end == std::string_view::npos ? std::string_view() : head.substr(begin, end - begin);
}

LabelKind kind_of(std::string_view first_bytes) {
  LabelKindGuess guess;
  while (!first_bytes.empty()) {
    const std::string_view line = first_bytes.substr(0, first_bytes.find('\n'));
    first_bytes.remove_prefix(std::min(first_bytes.size(), line.size() + 1));
    guess.see(label_of(line));
  }
  return guess.kind();
}

unsigned checked_bits(const TextOptions& text) {
  if (text.dictionary) throw ConfigError("Vowpal Wabbit's features are hashed: no dictionary numbers them");
  return text.bits;
}

}  // namespace

bool VwFormat::recognizes(std::string_view first_bytes) {
  first_bytes.remove_prefix(std::min(first_bytes.find_first_not_of(" \t\r\n"), first_bytes.size()));
  const std::string_view line = first_bytes.substr(0, first_bytes.find('\n'));
  const std::size_t bar = line.find('|');
  if (bar == std::string_view::npos) return false;
  const std::string_view head = line.substr(0, bar);
  const bool begins_well = head.empty() || head.front() == '\'' || !label_of(line).empty();
  Examples labels;
  return begins_well && read_vw_head(head, labels).has_value();
}

VwFormat::VwFormat(ByteSource& source, const TextOptions& text) : hash_(checked_bits(text)) {
  set_facts({.label_kind = kind_of(source.peek()), .input = InputKind::vw, .dimension = hash_.dimension()});
}

std::unique_ptr<Parser> VwFormat::parser() const {
  return std::make_unique<VwParser>(hash_);
}

Examples::LabelId VwFormat::label_id(std::string_view name) {
  return integer_label(name);
}

}  // namespace askfew
