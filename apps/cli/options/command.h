#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askfew/core/errors.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace askfew::cli {

// Commands and their options. All that the command line needs of CLI11, whose header takes seconds to
// compile, is behind these classes; its own documentation says more about each function of the same name.

/// What is wrong with the arguments of the program.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// An option or flag of a command. The members return the option, for more of them.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(option) {}

  Option* required();
  /// `refusal` says what is wrong with a value; an empty text: nothing.
  Option* check(std::function<std::string(const std::string&)> refusal);
  /// The same, and may change the value.
  Option* transform(std::function<std::string(std::string&)> change);
  Option* one_of(std::vector<std::string> accepted);
  /// A number from `least` to `most`, which the help shows.
  Option* range(std::uint64_t least, std::uint64_t most);
  /// The same for a number whose range the help does not show.
  Option* unshown_range(double least, double most);
  Option* unshown_range(std::integral auto least, std::integral auto most) {
    return unshown_whole_range(static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most));
  }
  /// Shows the value that the option has now as its default.
  Option* capture_default_str();
  Option* default_str(const std::string& text);
  Option* type_name(const std::string& name);
  Option* envname(const std::string& variable);
  Option* delimiter(char mark);
  Option* group(const std::string& heading);
  Option* description(const std::string& help);
  Option* needs(const std::string& option);
  Option* excludes(const std::string& option);

  [[nodiscard]] std::size_t count() const;  ///< how often it was given
  [[nodiscard]] std::string get_name() const;

 private:
  Option* unshown_whole_range(std::uint64_t least, std::uint64_t most);

  CLI::Option& option_;
};

/// A command, or the program itself. Options and subcommands belong to it; values must outlive it.
class Command {
 public:
  Command(const std::string& help, const std::string& name);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  Command(Command&&) = delete;
  Command& operator=(Command&&) = delete;

  Option* add_option(const std::string& names, std::string& value, const std::string& help);
  Option* add_option(const std::string& names, std::vector<std::string>& values, const std::string& help);
  Option* add_option(const std::string& names, std::uint64_t& value, const std::string& help);
  Option* add_option(const std::string& names, unsigned& value, const std::string& help);
  Option* add_option(const std::string& names, double& value, const std::string& help);
  /// `set` is called with the value that was given.
  Option* add_option_function(const std::string& names, const std::function<void(const std::string&)>& set,
                              const std::string& help);
  Option* add_flag(const std::string& names, bool& value, const std::string& help);
  /// `set` is called with how often the flag was given, below 0 for its negation.
  Option* add_flag_function(const std::string& names, std::function<void(std::int64_t)> set,
                            const std::string& help);
  Option* get_option(const std::string& name);
  /// Puts the options of these names, separated by blanks, under a heading; names that are not there are
  /// passed over.
  void group(std::string_view names, const std::string& heading);
  /// The same for options that only `--help-all` shows.
  void hide(std::string_view names, const std::string& heading);

  /// The headings of options in the order in which help shows them; others come after them.
  void order_groups(std::vector<std::string> headings);

  Command* add_subcommand(const std::string& name, const std::string& help);
  /// Puts the subcommands of these names, separated by blanks, under a heading.
  void group_subcommands(std::string_view names, const std::string& heading);
  void require_subcommand(int count);
  void callback(std::function<void()> work);
  void set_version_flag(const std::string& name, const std::string& version);
  void footer(const std::string& text);

  /// A command of the program, with its options as they are typed.
  struct Listed {
    std::string name;
    std::vector<std::string> options;
  };
  [[nodiscard]] std::vector<Listed> listed() const;

  /// Reads the arguments, and does the work of the command that they name, or prints the help that they ask
  /// for. THROWS: UsageError, and what the work throws.
  void parse(int argc, char** argv);

 private:
  explicit Command(CLI::App& app);
  Option* keep(CLI::Option* option);
  [[nodiscard]] std::vector<CLI::Option*> options_named(std::string_view names) const;
  void hide_from_help();
  /// THROWS: UsageError if no command has this name.
  void expect_command(const std::string& name) const;

  std::unique_ptr<CLI::App> program_;  // of the program itself, which has all others
  CLI::App& app_;
  std::deque<Option> options_;
  std::vector<CLI::Option*> hidden_;
  std::vector<std::unique_ptr<Command>> subcommands_;
};

}  // namespace askfew::cli
