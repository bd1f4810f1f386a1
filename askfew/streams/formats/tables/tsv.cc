#include "askfew/streams/formats/tables/tsv.h"

#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/streams/formats/tables/csv_sample.h"
#include "askfew/streams/formats/tables/table_row.h"
#include "askfew/streams/text_bytes.h"

namespace askfew {
namespace {

/// The labels of the first lines; lines without a tab are skipped.
std::vector<TableRecord> labels_of(std::string_view lines) {
  std::vector<TableRecord> records;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const std::size_t tab = line.find('\t');
    if (tab != std::string_view::npos) records.push_back({std::string(line.substr(0, tab))});
  }
  return records;
}

class TsvParser final : public Parser {
 public:
  TsvParser(const TextFeatures& texts, Unlabelled unlabelled, const MixedLabels& labels)
      : texts_(texts), scratch_(texts), unlabelled_(unlabelled), labels_(labels) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override {
    parse_lines(chunk, out, [&](std::string_view line, Examples& block) {
      if (unlabelled_ == Unlabelled::skipped && line.starts_with('\t')) {
        ++out.unlabelled;
        return tl::expected<bool, ParseError>(false);
      }
      auto example = read(line, block);
      if (scratch_.take_not_utf8()) out.count_not_utf8(out.lines);
      return example;
    });
  }

 private:
  tl::expected<bool, ParseError> read(std::string_view line, Examples& block);

  const TextFeatures& texts_;
  TextScratch scratch_;
  Unlabelled unlabelled_;
  const MixedLabels& labels_;
};

tl::expected<bool, ParseError> TsvParser::read(std::string_view line, Examples& block) {
  const auto wrong = [](std::string why) {
    return tl::make_unexpected(ParseError{.line = 0, .column = 1, .why = std::move(why)});
  };
  if (line.empty()) return false;
  if (const std::string_view fault = fault_of_nul(line); !fault.empty()) {
    return wrong(fmt::format("the line {} {}", in_quotes(line), fault));
  }
  const std::size_t tab = line.find('\t');
  const bool has_tab = tab != std::string_view::npos;
  const std::string_view label = has_tab ? line.substr(0, tab) : "";
  const bool needs_label = unlabelled_ != Unlabelled::accepted;
  if (needs_label && !has_tab) return wrong("no tab: expected a label, a tab and a text");
  if (needs_label && label.empty()) return wrong("no label before the tab" + std::string(unlabelled_hint));
  if (!is_utf8(label)) return wrong("label " + in_quotes(label) + " is not UTF-8");
  if (!label.empty()) block.add_label(label_number(label, labels_));
  texts_.add(line.substr(has_tab ? tab + 1 : 0), block, scratch_);
  texts_.finish(block, scratch_);
  return true;
}

}  // namespace

bool TsvFormat::recognizes(std::string_view first_bytes) {
  constexpr std::size_t longest_label = 40;
  constexpr std::size_t few = 100;
  first_bytes = without_mark(first_bytes);
  std::size_t lines = 0;
  std::size_t texts = 0;  // number of texts with several words
  // The last line may be incomplete.
  for (std::size_t end = 0; lines < few && (end = first_bytes.find('\n')) != std::string_view::npos;) {
    const std::string_view line = first_bytes.substr(0, end);
    first_bytes.remove_prefix(end + 1);
    if (line.empty() || line == "\r") continue;
    const std::size_t tab = line.find('\t');
    const std::string_view label = line.substr(0, tab);
    const bool fits = tab != std::string_view::npos && line.find('\t', tab + 1) == std::string_view::npos &&
                      !label.empty() && label.size() <= longest_label &&
                      label.find(' ') == std::string_view::npos;
    if (!fits || (lines == 0 && is_usual_label_name(label))) return false;
    ++lines;
    texts += line.find(' ', tab) != std::string_view::npos ? 1 : 0;
  }
  return texts > lines / 2;
}

TsvFormat::TsvFormat(ByteSource& source, const TextOptions& text, Unlabelled unlabelled,
                     std::shared_ptr<LabelNames> names)
    : texts_(text), unlabelled_(unlabelled), labels_(std::move(names)) {
  StreamFacts facts{
      .label_kind = LabelKind::classes, .input = InputKind::text, .dimension = texts_.dimension()};
  if (unlabelled != Unlabelled::accepted) {
    const std::vector<TableRecord> records = labels_of(without_mark(first_lines(source)));
    std::vector<std::string> labels;
    for (const TableRecord& record : records) labels.push_back(record[0]);
    facts.label_kind = kind_of_labels(labels);
    facts.some_labels = first_labels(records, 0);
  }
  set_facts(std::move(facts));
  skip_byte_order_mark(source);
}

Examples::LabelId TsvFormat::label_id(std::string_view name) {
  return label_number(name, labels_);
}

std::unique_ptr<Parser> TsvFormat::parser() const {
  return std::make_unique<TsvParser>(texts_, unlabelled_, labels_);
}

}  // namespace askfew
