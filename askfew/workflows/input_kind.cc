#include "askfew/workflows/input_kind.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace askfew {
namespace {

/// A format as people call it.
std::string_view title_of(std::string_view format) {
  if (format == "csv") return "CSV";
  if (format == "jsonl") return "JSON lines";
  if (format == "arff") return "ARFF";
  if (format == "idx") return "IDX";
  if (format == "vw") return "Vowpal Wabbit text";
  return format.empty() ? "unknown format" : format;
}

std::string format_of(const Stream& stream) {
  const auto& origins = stream.facts().origins;
  return origins.empty() ? "" : origins[0].format;
}

/// The formats of all files of a stream; a file that another one needs has none.
std::set<std::string_view> formats_of(const Stream& stream) {
  std::set<std::string_view> formats;
  for (const Origin& origin : stream.facts().origins) {
    if (!origin.format.empty()) formats.insert(origin.format);
  }
  return formats;
}

/// Does the stream have a table without any column of texts?
bool has_no_texts(const Stream& stream) {
  const auto& table = stream.facts().table;
  return table != nullptr &&
         std::ranges::find(table->columns, ColumnKind::text, &TableColumn::kind) == table->columns.end();
}

/// Options of texts do nothing to numbers. THROWS: ConfigError.
void expect_text(const TextOptions& text, const Stream& stream) {
  const InputKind input = stream.facts().input;
  const bool is_table = has_no_texts(stream);
  if (input != InputKind::numbers && input != InputKind::vw && !is_table) return;
  // The names of Vowpal Wabbit are hashed, the values of categories also numbered.
  const auto is_used = [&](std::string_view option) {
    if (is_table) return option == "bits" || option == "dictionary" || option == "most_words";
    return option == "bits" && input == InputKind::vw;
  };
  for (const FeatureOption& option : feature_option_table()) {
    if (is_used(option.name) || option.get({.text = text}) == option.get({})) continue;
    throw ConfigError(fmt::format("`{}` does nothing: {} has {}, and only texts use it{}", option.name,
                                  stream.name(), is_table ? "no column of texts" : description_of(input),
                                  is_table ? "; see `text_columns`" : ""));
  }
}

}  // namespace

std::string_view description_of(InputKind kind) {
  switch (kind) {
    case InputKind::text:
      return "text";
    case InputKind::columns:
      return "the columns of a table";
    case InputKind::numbers:
      return "numbers by index";
    case InputKind::vw:
      return "the features of Vowpal Wabbit";
    case InputKind::unknown:
      break;
  }
  return "anything";
}

void note_input(const Stream& stream, ModelConfig& config) {
  if (stream.facts().input == InputKind::unknown) return;
  config.input = stream.facts().input;
  config.input_format = format_of(stream);
}

void expect_input_of(const ModelConfig& config, const Stream& stream, const std::string& model) {
  const InputKind found = stream.facts().input;
  if (found == config.input || found == InputKind::unknown || config.input == InputKind::unknown) return;
  if (stream.facts().origins.empty()) {
    throw DataError({.why = fmt::format("it has {}; {} was trained on {}", description_of(found), model,
                                        description_of(config.input)),
                     .file = stream.name()});
  }
  throw DataError(
      {.why = fmt::format("read as {}, which has {}; {} was trained on {}: give such data, or name the "
                          "format with `format`",
                          title_of(format_of(stream)), description_of(found), model,
                          description_of(config.input)),
       .file = stream.name()});
}

void expect_used(const DataOptions& data, const ReadingOptions& reading, const Stream& stream) {
  const std::set<std::string_view> formats = formats_of(stream);
  const auto check = [&](bool given, std::string_view option, const std::vector<std::string_view>& used_by) {
    const bool is_used =
        std::ranges::any_of(used_by, [&](std::string_view format) { return formats.contains(format); });
    if (!given || is_used) return;
    if (formats.empty()) {
      throw ConfigError(fmt::format("`{}` does nothing: {} is not a file", option, stream.name()));
    }
    throw ConfigError(fmt::format("`{}` does nothing: {} is read as {}, and only {} use{} it; see `format`",
                                  option, stream.name(), fmt::join(formats, ", "), fmt::join(used_by, ", "),
                                  used_by.size() == 1 ? "s" : ""));
  };
  const TableOptions& table = reading.table;
  check(data.unlabelled == "skip", "unlabelled", {"csv", "tsv", "arff", "jsonl", "cache"});
  check(data.split != "all", "split", {"reuters"});
  check(data.with_topics, "with_topics", {"reuters"});
  check(!data.idx_labels.empty(), "idx_labels", {"idx"});
  check(reading.label_field != "section", "label_field", {"packages"});
  check(reading.index_base != "1", "index_base", {"svmlight"});
  check(table.header != TableOptions::Header::automatic, "header", {"csv"});
  check(table.delimiter != 0, "delimiter", {"csv"});
  check(!table.label_column.empty(), "label_column", {"csv", "arff", "jsonl"});
  check(!table.id_column.empty(), "id_column", {"csv", "arff", "jsonl"});
  check(!table.time_column.empty(), "time_column", {"csv", "arff", "jsonl"});
  check(!table.text_columns.empty(), "text_columns", {"csv", "arff", "jsonl"});
  check(!table.numeric_columns.empty(), "numeric_columns", {"csv", "arff"});
  check(!table.categorical_columns.empty(), "categorical_columns", {"csv", "arff"});
  check(!table.ignore_columns.empty(), "ignore_columns", {"csv", "arff"});
  expect_text(reading.features.text, stream);
}

}  // namespace askfew
