#include "apps/cli/options/table_flags.h"

#include <string>

#include "apps/cli/options/flags.h"

namespace askfew::cli {

std::vector<Option*> add_table_flags(Command& command, TableOptions& options) {
  using Header = TableOptions::Header;
  const auto columns = [&](const std::string& name, std::vector<std::string>& list, const std::string& help) {
    return command.add_option(name, list, help)->delimiter(',')->check(a_name)->type_name("NAMES");
  };
  return {
      command
          .add_option("--label-column", options.label_column,
                      "column of the label in tables and JSON lines: its name, or its number from 1 "
                      "(default: label, "
                      "class, target or y, else the last, but not a text; in ARFF the last nominal one)")
          ->check(a_name),
      command
          .add_option("--id-column", options.id_column,
                      "column of the ids in tables and JSON lines; an id is not a feature (default: id)")
          ->check(a_name),
      command
          .add_option(
              "--time-column", options.time_column,
              "column of the times in tables and JSON lines (default: none in tables, time in JSON lines)")
          ->check(a_name),
      columns("--numeric-columns", options.numeric_columns, "columns of numbers in tables, e.g. age,3"),
      columns("--categorical-columns", options.categorical_columns,
              "columns whose values are names, in tables"),
      columns("--text-columns,--text-column", options.text_columns,
              "columns of text in tables and JSON lines; their words are features"),
      columns("--ignore-columns", options.ignore_columns, "columns to leave out, in tables"),
      command
          .add_option_function(
              "--header",
              [&options](const std::string& text) {
                options.header = text == "yes" ? Header::yes : text == "no" ? Header::no : Header::automatic;
              },
              "does a CSV file begin with a header? yes, no or auto")
          ->one_of({"auto", "yes", "no"}),
      command.add_option_function(
          "--delimiter", [&options](const std::string& text) { options.delimiter = parse_delimiter(text); },
          "separator of CSV columns: , ; | tab, space or another character (default: detected)"),
  };
}

}  // namespace askfew::cli
