#include "askfew/streams/reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace askfew {
namespace {

/// Is the option about text? Other feature options are applied later, to the examples as they were read.
bool is_of_text(const FeatureOption& option) {
  return option.name != "tf-idf" && option.name != "bias" && option.name != "normalize";
}

std::string yes_or_no(bool value) {
  return value ? "yes" : "no";
}

std::string_view text_of(ReutersOptions::Split split) {
  using Split = ReutersOptions::Split;
  switch (split) {
    case Split::all:
      return "all";
    case Split::modapte:
      return "modapte";
    case Split::modapte_train:
      return "modapte-train";
    case Split::modapte_test:
      break;
  }
  return "modapte-test";
}

std::string_view text_of(TableOptions::Header header) {
  using Header = TableOptions::Header;
  if (header == Header::automatic) return "";
  return header == Header::yes ? "yes" : "no";
}

}  // namespace

Reading reading_of_svmlight(const StreamOptions& options) {
  return {{"index-base", fmt::format("{}", options.index_base)}};
}

Reading reading_of_idx(const StreamOptions& options) {
  return {{"idx-labels", options.idx_labels}};
}

Reading reading_of_text(const StreamOptions& options) {
  Reading reading;
  for (const FeatureOption& option : feature_option_table()) {
    if (is_of_text(option)) reading[std::string(option.name)] = option.get(options.features);
  }
  return reading;
}

Reading reading_of_packages(const StreamOptions& options) {
  Reading reading = reading_of_text(options);
  reading["label-field"] = options.label_field == PackagesFormat::LabelField::tag ? "tag" : "section";
  return reading;
}

Reading reading_of_reuters(const StreamOptions& options) {
  Reading reading = reading_of_text(options);
  reading["split"] = text_of(options.reuters.split);
  reading["with-topics"] = yes_or_no(options.reuters.with_topics);
  return reading;
}

Reading reading_of_tsv(const StreamOptions& options) {
  Reading reading = reading_of_text(options);
  reading["needs-labels"] = options.unlabelled == Unlabelled::skipped
                                ? "skip"
                                : yes_or_no(options.unlabelled == Unlabelled::malformed);
  return reading;
}

/// Caches of older versions have none of these options, so only those that were given are named.
Reading reading_of_json(const StreamOptions& options) {
  Reading reading = reading_of_text(options);
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) reading[name] = value;
  };
  add("unlabelled", options.unlabelled == Unlabelled::skipped ? "skip" : "");
  add("label-column", options.table.label_column);
  add("id-column", options.table.id_column);
  add("time-column", options.table.time_column);
  add("text-columns", fmt::format("{}", fmt::join(options.table.text_columns, ",")));
  return reading;
}

Reading reading_of_table(const StreamOptions& options) {
  Reading reading = reading_of_tsv(options);
  if (options.schema) return reading;
  const TableOptions& told = options.table;
  reading["header"] = text_of(told.header);
  reading["delimiter"] = told.delimiter == 0 ? "" : std::string(1, told.delimiter);
  reading["label-column"] = told.label_column;
  reading["id-column"] = told.id_column;
  reading["time-column"] = told.time_column;
  reading["numeric-columns"] = fmt::format("{}", fmt::join(told.numeric_columns, ","));
  reading["categorical-columns"] = fmt::format("{}", fmt::join(told.categorical_columns, ","));
  reading["text-columns"] = fmt::format("{}", fmt::join(told.text_columns, ","));
  reading["ignore-columns"] = fmt::format("{}", fmt::join(told.ignore_columns, ","));
  return reading;
}

Reading reading_of_cache(const StreamOptions& /*options*/) {
  return {};
}

}  // namespace askfew
