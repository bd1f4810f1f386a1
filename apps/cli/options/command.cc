#include "apps/cli/options/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "askfew/config/names.h"
#include "askfew/config/text.h"

#include "apps/cli/options/argument_errors.h"

namespace askfew::cli {
namespace {

/// Checks a whole number, which is decimal whatever it begins with.
std::function<std::string(std::string&)> whole_number_from(std::uint64_t least, std::uint64_t most) {
  return [least, most](std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [past, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || past != end || value < least || value > most) {
      return fmt::format("{} is not a whole number from {} to {}", in_quotes(text), least, most);
    }
    text = std::to_string(value);
    return "";
  };
}

/// Help with the headings of options in a given order; CLI11 has them in the order of the first option.
class OrderedHelp : public CLI::Formatter {
 public:
  explicit OrderedHelp(std::vector<std::string> headings) : headings_(std::move(headings)) {}

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) + groups_of(app) +
           make_subcommands(app, mode) + '\n' + make_footer(app);
  }

 private:
  [[nodiscard]] std::string groups_of(const CLI::App* app) const {
    std::vector<std::string> groups = app->get_groups();
    std::ranges::stable_sort(groups, {}, [&](const std::string& group) { return place_of(group); });
    std::string text;
    for (const std::string& group : groups) {
      const auto options = app->get_options(
          [&](const CLI::Option* option) { return option->get_group() == group && option->nonpositional(); });
      if (!group.empty() && !options.empty()) text += make_group(group, false, options);
    }
    return text;
  }
  [[nodiscard]] std::ptrdiff_t place_of(const std::string& group) const {
    return std::ranges::find(headings_, group) - headings_.begin();
  }

  std::vector<std::string> headings_;
};

}  // namespace

Option* Option::required() {
  option_.required();
  return this;
}

Option* Option::check(std::function<std::string(const std::string&)> refusal) {
  option_.check(std::move(refusal));
  return this;
}

Option* Option::transform(std::function<std::string(std::string&)> change) {
  option_.transform(CLI::Validator(std::move(change), ""));
  return this;
}

Option* Option::one_of(std::vector<std::string> accepted) {
  const std::string shown = fmt::format("{{{}}}", fmt::join(accepted, ","));
  option_.check(CLI::Validator(
      [accepted = std::move(accepted)](const std::string& text) -> std::string {
        if (std::ranges::find(accepted, text) != accepted.end()) return "";
        return fmt::format("{} is not one of: {}", in_quotes(text), fmt::join(accepted, ", "));
      },
      shown));
  return this;
}

Option* Option::range(std::uint64_t least, std::uint64_t most) {
  option_.transform(
      CLI::Validator(whole_number_from(least, most), fmt::format("UINT in [{} - {}]", least, most)));
  return this;
}

Option* Option::unshown_whole_range(std::uint64_t least, std::uint64_t most) {
  option_.transform(CLI::Validator(whole_number_from(least, most), ""));
  return this;
}

Option* Option::unshown_range(double least, double most) {
  return check([least, most](const std::string& text) -> std::string {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [past, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && past == end && value >= least && value <= most) return "";
    return fmt::format("{} is not a number from {} to {}", in_quotes(text), least, most);
  });
}

Option* Option::capture_default_str() {
  option_.capture_default_str();
  return this;
}

Option* Option::default_str(const std::string& text) {
  option_.default_str(text);
  return this;
}

Option* Option::type_name(const std::string& name) {
  option_.type_name(name);
  return this;
}

Option* Option::envname(const std::string& variable) {
  option_.envname(variable);
  return this;
}

Option* Option::delimiter(char mark) {
  option_.delimiter(mark);
  return this;
}

Option* Option::group(const std::string& heading) {
  option_.group(heading);
  return this;
}

Option* Option::description(const std::string& help) {
  option_.description(help);
  return this;
}

Option* Option::needs(const std::string& option) {
  option_.needs(option);
  return this;
}

Option* Option::excludes(const std::string& option) {
  option_.excludes(option);
  return this;
}

std::size_t Option::count() const {
  return option_.count();
}

std::string Option::get_name() const {
  return option_.get_name();
}

Command::Command(const std::string& help, const std::string& name)
    : program_(std::make_unique<CLI::App>(help, name)), app_(*program_) {}

Command::Command(CLI::App& app) : app_(app) {}

Command::~Command() = default;

Option* Command::keep(CLI::Option* option) {
  return &options_.emplace_back(*option);
}

Option* Command::add_option(const std::string& names, std::string& value, const std::string& help) {
  return keep(app_.add_option(names, value, help));
}

Option* Command::add_option(const std::string& names, std::vector<std::string>& values,
                            const std::string& help) {
  return keep(app_.add_option(names, values, help));
}

Option* Command::add_option(const std::string& names, std::uint64_t& value, const std::string& help) {
  return keep(app_.add_option(names, value, help));
}

Option* Command::add_option(const std::string& names, unsigned& value, const std::string& help) {
  return keep(app_.add_option(names, value, help));
}

Option* Command::add_option(const std::string& names, double& value, const std::string& help) {
  return keep(app_.add_option(names, value, help));
}

Option* Command::add_option_function(const std::string& names,
                                     const std::function<void(const std::string&)>& set,
                                     const std::string& help) {
  return keep(app_.add_option_function<std::string>(names, set, help));
}

Option* Command::add_flag(const std::string& names, bool& value, const std::string& help) {
  return keep(app_.add_flag(names, value, help));
}

Option* Command::add_flag_function(const std::string& names, std::function<void(std::int64_t)> set,
                                   const std::string& help) {
  return keep(app_.add_flag_function(names, std::move(set), help));
}

Option* Command::get_option(const std::string& name) {
  return keep(app_.get_option(name));
}

std::vector<CLI::Option*> Command::options_named(std::string_view names) const {
  std::vector<CLI::Option*> found;
  while (!names.empty()) {
    const std::string name(names.substr(0, names.find(' ')));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    if (CLI::Option* option = app_.get_option_no_throw(name)) found.push_back(option);
  }
  return found;
}

void Command::group(std::string_view names, const std::string& heading) {
  for (CLI::Option* option : options_named(names)) option->group(heading);
}

void Command::hide(std::string_view names, const std::string& heading) {
  for (CLI::Option* option : options_named(names)) {
    option->group(heading);
    hidden_.push_back(option);
  }
}

/// Only for a help message: a hidden option has no name in errors either.
void Command::hide_from_help() {
  for (CLI::Option* option : hidden_) {
    option->group("");
    for (CLI::Option* other : app_.get_options({})) other->remove_excludes(option);
  }
  for (const auto& command : subcommands_) command->hide_from_help();
}

std::vector<Command::Listed> Command::listed() const {
  std::vector<Listed> all;
  for (const CLI::App* command : app_.get_subcommands({})) {
    Listed listed{.name = command->get_name(), .options = {}};
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) listed.options.push_back("--" + name);
    }
    all.push_back(std::move(listed));
  }
  return all;
}

Command* Command::add_subcommand(const std::string& name, const std::string& help) {
  subcommands_.push_back(std::unique_ptr<Command>(new Command(*app_.add_subcommand(name, help))));
  return subcommands_.back().get();
}

void Command::order_groups(std::vector<std::string> headings) {
  auto formatter = std::make_shared<OrderedHelp>(std::move(headings));
  formatter->column_width(app_.get_formatter()->get_column_width());
  app_.formatter(formatter);
}

void Command::group_subcommands(std::string_view names, const std::string& heading) {
  while (!names.empty()) {
    const std::string name(names.substr(0, names.find(' ')));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    app_.get_subcommand(name)->group(heading);
  }
}

void Command::require_subcommand(int count) {
  app_.require_subcommand(count);
}

void Command::callback(std::function<void()> work) {
  app_.callback(std::move(work));
}

void Command::set_version_flag(const std::string& name, const std::string& version) {
  app_.set_version_flag(name, version);
}

void Command::footer(const std::string& text) {
  app_.footer(text);
}

void Command::expect_command(const std::string& name) const {
  const std::vector<std::string> known = names_of(std::as_const(app_).get_subcommands({}));
  if (std::ranges::find(known, name) != known.end()) return;
  throw UsageError(fmt::format("no command {}: {}", in_quotes(name), did_you_mean(name, known)));
}

void Command::parse(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  std::string plain_help = "--help";
  std::string version = "--version";
  // As many programs have it: `askfew help`, `askfew help run`, `askfew version`.
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "help") {
    if (argc > 2) expect_command(argv[2]);
    arguments.erase(arguments.begin() + 1);
    arguments.insert(arguments.begin() + std::min(argc - 1, 2), plain_help.data());
  } else if (first == "version" || first == "-V") {
    arguments[1] = version.data();
  }
  bool shows_all = false;
  bool shows_help = false;
  for (char*& argument : arguments) {
    const std::string_view text = argument;
    shows_help = shows_help || text == "--help" || text == "-h";
    if (text != "--help-all") continue;
    shows_all = true;
    argument = plain_help.data();
  }
  if (shows_help && !shows_all) hide_from_help();
  try {
    app_.parse(argc, arguments.data());
  } catch (const CLI::Success& help) {
    app_.exit(help);
  } catch (const CLI::RequiredError& error) {
    if (argc > 1 && app_.get_subcommands().empty()) expect_command(argv[1]);
    if (app_.get_subcommands().empty()) {
      throw UsageError(fmt::format("no command: {} --help lists them", app_.get_name()));
    }
    const CLI::App& chosen = *app_.get_subcommands()[0];
    const std::vector<std::string> commands = names_of(chosen.get_subcommands({}));
    const bool needs_one = chosen.get_subcommands().empty() && !commands.empty();
    throw UsageError(
        fmt::format("{} (see {} --help)",
                    needs_one ? fmt::format("one of its commands is required: {}", fmt::join(commands, ", "))
                              : error.what(),
                    path_of(app_)));
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{} (see {} --help)", text_of(error, app_, argc, argv), path_of(app_)));
  }
}

}  // namespace askfew::cli
