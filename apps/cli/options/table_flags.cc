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
                      "of a table or JSON lines: the label's column, by its name or its number from 1 "
                      "(default: label, "
                      "class, target or y, else the last; of ARFF the last nominal one)")
          ->check(a_name),
      command
          .add_option("--id-column", options.id_column,
                      "of a table or JSON lines: the column of the ids, which are no features (default: id)")
          ->check(a_name),
      command
          .add_option("--time-column", options.time_column,
                      "of a table or JSON lines: the column of the times (default: none; of JSON lines time)")
          ->check(a_name),
      columns("--numeric-columns", options.numeric_columns, "of a table: columns of numbers, e.g. age,3"),
      columns("--categorical-columns", options.categorical_columns,
              "of a table: columns whose values are names"),
      columns("--text-columns,--text-column", options.text_columns,
              "of a table or JSON lines: columns whose words are features"),
      columns("--ignore-columns", options.ignore_columns, "of a table: columns that are left out"),
      command
          .add_option_function(
              "--header",
              [&options](const std::string& text) {
                options.header = text == "yes" ? Header::yes : text == "no" ? Header::no : Header::automatic;
              },
              "of CSV: is the first line one? yes, no or auto")
          ->one_of({"auto", "yes", "no"}),
      command.add_option_function(
          "--delimiter", [&options](const std::string& text) { options.delimiter = parse_delimiter(text); },
          "of CSV: , ; | tab, space or another mark (default: found out)"),
  };
}

}  // namespace askfew::cli
