#include "askfew/streams/formats/reuters/reuters.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <set>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/config/timestamp.h"
#include "askfew/streams/formats/common/malformed.h"
#include "askfew/streams/formats/reuters/sgml.h"
#include "askfew/streams/text_bytes.h"

namespace askfew {
namespace {

using Split = ReutersOptions::Split;

constexpr std::string_view begin_mark = "<REUTERS";
constexpr std::string_view end_mark = "</REUTERS>";
constexpr std::string_view blanks = " \t\r\n";

std::string_view trim_front(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text;
}

/// Removes and returns the story at the beginning of the bytes: up to its end, or to the next story if that
/// comes first.
std::string_view take_story(std::string_view& bytes) {
  std::string_view story = bytes.substr(0, bytes.find(begin_mark, 1));
  const std::size_t end = story.find(end_mark);
  if (end != std::string_view::npos) story = story.substr(0, end + end_mark.size());
  bytes.remove_prefix(story.size());
  return story;
}

/// `26-FEB-1987 15:01:01.79`. Some dates have more text after them, and one date of the collection has an
/// impossible hour: that story counts from midnight.
std::optional<std::int64_t> time_of(std::string_view date) {
  constexpr std::array<std::string_view, 12> months{"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                    "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
  date = trim_front(date);
  const auto take = [&](char c) {
    const bool is_there = date.starts_with(c);
    date.remove_prefix(is_there ? 1 : 0);
    return is_there;
  };
  const auto day = take_digits(date, 1, 2);
  if (!day || !take('-')) return std::nullopt;
  const auto* month = std::find(months.begin(), months.end(), date.substr(0, 3));
  if (month == months.end()) return std::nullopt;
  date.remove_prefix(3);
  if (!take('-')) return std::nullopt;
  const auto year = take_digits(date, 4, 4);
  if (!year) return std::nullopt;
  CivilTime time{.year = static_cast<int>(*year),
                 .month = static_cast<unsigned>(month - months.begin()) + 1,
                 .day = *day};
  const auto midnight = seconds_since_1970(time);
  date = trim_front(date);
  const auto hour = take_digits(date, 1, 2);
  const auto minute = hour && take(':') ? take_digits(date, 2, 2) : std::nullopt;
  const auto second = minute && take(':') ? take_digits(date, 2, 2) : std::nullopt;
  if (!second) return midnight;
  time.hour = *hour;
  time.minute = *minute;
  time.second = *second;
  const auto exact = seconds_since_1970(time);
  return exact ? exact : midnight;
}

class ReutersParser final : public Parser {
 public:
  ReutersParser(const ReutersOptions& options, const TextFeatures& features, LabelNames& names)
      : options_(options), features_(features), scratch_(features), names_(names) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  /// Adds a story, unless the options exclude it. THROWS: Malformed.
  void add(std::string_view story, std::uint64_t line, Examples& block);
  [[nodiscard]] bool is_in_split(std::string_view tag) const;
  void read_topics(std::string_view topics);
  void read_text(std::string_view text);

  ReutersOptions options_;
  const TextFeatures& features_;
  TextScratch scratch_;
  LabelNames& names_;
  std::vector<Examples::LabelId> topics_;  // topics of the current story
  std::set<Examples::LabelId> seen_;       // the same, to be found
  std::string text_;
};

void ReutersParser::parse(const Chunk& chunk, ParsedChunk& out) {
  const char* line = chunk.bytes.data();  // the current line; out.lines come before it
  const auto go_to_line_of = [&](const char* place) {
    for (const char* end = nullptr; (end = std::find(line, place, '\n')) != place; line = end + 1)
      ++out.lines;
  };
  std::string_view rest = chunk.bytes;
  while (!(rest = trim_front(rest)).empty()) {
    if (rest.starts_with("<!DOCTYPE")) {  // also in the middle, if files were joined
      rest.remove_prefix(std::min(rest.find('>'), rest.size() - 1) + 1);
      continue;
    }
    const std::string_view story = take_story(rest);
    try {
      go_to_line_of(story.data());
      add(story, out.lines + 1, out.examples);
      if (scratch_.take_not_utf8()) out.count_not_utf8(out.lines + 1);
    } catch (Malformed& malformed) {
      go_to_line_of(malformed.place);
      const auto column = static_cast<std::size_t>(malformed.place - line) + 1;
      if (!out.fail({.line = out.lines + 1, .column = column, .why = std::move(malformed.why)})) return;
    }
  }
  go_to_line_of(chunk.bytes.data() + chunk.bytes.size());
}

void ReutersParser::add(std::string_view story, std::uint64_t line, Examples& block) {
  if (!story.starts_with(begin_mark))
    throw Malformed{story.data(), "expected <REUTERS ...>, which begins a story"};
  if (!story.ends_with(end_mark)) throw Malformed{story.data(), "a story without </REUTERS>"};
  if (const std::string_view fault = fault_of_nul(story); !fault.empty()) {
    throw Malformed{story.data() + story.find('\0'), fmt::format("the story {}", fault)};
  }
  const auto required = [&](std::string_view name) {
    const auto content = sgml::element(story, name);
    if (!content) throw Malformed{story.data(), fmt::format("a story without <{}>", name)};
    return *content;
  };
  if (!is_in_split(story.substr(0, story.find('>')))) return;
  read_topics(required("TOPICS"));
  if (options_.with_topics && topics_.empty()) return;
  const std::string_view date = required("DATE");
  const auto time = time_of(date);
  if (!time)
    throw Malformed{date.data(),
                    fmt::format("date {} is not like '26-FEB-1987 15:01:01.79'", in_quotes(date))};
  read_text(required("TEXT"));
  block.begin(line);
  for (const Examples::LabelId topic : topics_) block.add_label(topic);
  block.set_time(*time);
  features_.add(text_, block, scratch_);
  features_.finish(block, scratch_);
  block.end_sparse();
}

bool ReutersParser::is_in_split(std::string_view tag) const {
  if (options_.split == Split::all) return true;
  const auto required = [&](std::string_view name) {
    const auto value = sgml::attribute(tag, name);
    if (!value) throw Malformed{tag.data(), fmt::format("no attribute {}, which gives the split", name)};
    return *value;
  };
  const std::string_view part = required("LEWISSPLIT");
  if (required("TOPICS") != "YES") return false;
  return (part == "TRAIN" && options_.split != Split::modapte_test) ||
         (part == "TEST" && options_.split != Split::modapte_train);
}

void ReutersParser::read_topics(std::string_view topics) {
  topics_.clear();
  seen_.clear();
  while (!(topics = trim_front(topics)).empty()) {
    const auto name = topics.starts_with("<D>") ? sgml::element(topics, "D") : std::nullopt;
    if (!name) throw Malformed{topics.data(), "expected <D>topic</D> or </TOPICS>"};
    if (name->empty() || !is_utf8(*name))
      throw Malformed{name->data(), fmt::format("topic {} is empty or not UTF-8", in_quotes(*name))};
    const Examples::LabelId id = names_.id(*name);
    if (seen_.insert(id).second) topics_.push_back(id);
    topics.remove_prefix(static_cast<std::size_t>(name->data() + name->size() - topics.data()) + 4);  // </D>
  }
}

/// Title and body; the whole text of a story that has neither.
void ReutersParser::read_text(std::string_view text) {
  text_.clear();
  const auto title = sgml::element(text, "TITLE");
  const auto body = sgml::element(text, "BODY");
  if (title) sgml::append_text(*title, text_);
  text_.push_back('\n');
  if (body) sgml::append_text(*body, text_);
  if (!title && !body) sgml::append_text(text, text_);
}

}  // namespace

ReutersFormat::ReutersFormat(const ReutersOptions& options, const TextOptions& text,
                             std::shared_ptr<LabelNames> names)
    : options_(options), features_(text), names_(std::move(names)) {
  set_facts({.label_kind = LabelKind::topics, .input = InputKind::text, .dimension = features_.dimension()});
}

/// Chunks end with a complete line, so that columns can be counted.
std::size_t ReutersFormat::whole_records(std::string_view bytes, std::size_t& looked_at) const {
  return past_last({"</REUTERS>\n", "</REUTERS>\r\n"}, bytes, looked_at);
}

std::unique_ptr<Parser> ReutersFormat::parser() const {
  return std::make_unique<ReutersParser>(options_, features_, *names_);
}

}  // namespace askfew
