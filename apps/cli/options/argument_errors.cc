#include "apps/cli/options/argument_errors.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include "askfew/config/names.h"
#include "askfew/config/nearest_name.h"
#include "askfew/config/text.h"

namespace askfew::cli {
namespace {

/// The command that the arguments name, e.g. `askfew run`.
const CLI::App& named_command(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

/// A hint if an argument is an option that the command does not have; nothing else.
std::string nearest_option(const CLI::App& program, int argc, char** argv) {
  std::vector<std::string> known;
  for (const CLI::Option* option : named_command(program).get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (int k = 1; k < argc; ++k) {
    const std::string_view whole = argv[k];
    const std::string name(whole.substr(0, whole.find('=')));
    const bool is_unknown = name.starts_with("--") && name.size() > 2 &&
                            std::find(known.begin(), known.end(), name) == known.end();
    if (!is_unknown) continue;
    std::vector<std::string> meant;
    if (const std::string nearest = nearest_name(name, known); !nearest.empty()) meant.push_back(nearest);
    for (const CLI::Option* option : named_command(program).get_options()) {
      const std::vector<std::string>& names = option->get_lnames();
      if (!names.empty() && ("--" + names[0]).starts_with(name + "-")) meant.push_back("--" + names[0]);
    }
    return meant.empty() ? "" : fmt::format(": did you mean {}?", fmt::join(meant, " or "));
  }
  return "";
}

}  // namespace

std::string path_of(const CLI::App& program) {
  std::string path = program.get_name();
  for (const CLI::App* command = &program; !command->get_subcommands().empty();) {
    command = command->get_subcommands().front();
    path += " " + command->get_name();
  }
  return path;
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

std::string text_of(const CLI::ParseError& error, const CLI::App& program, int argc, char** argv) {
  const std::string what = error.what();
  const std::string option = what.substr(0, what.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return what.find("received") == std::string::npos ? fmt::format("{} needs a value", option)
                                                      : fmt::format("{} is given more than once", option);
  }
  if (constexpr std::string_view begin = "Could not convert: "; what.starts_with(begin)) {
    const std::size_t end = std::min(what.find(" = "), what.size());
    const std::string value = what.substr(std::min(end + 3, what.size()));
    return fmt::format("{}: {} is not accepted", what.substr(begin.size(), end - begin.size()),
                       in_quotes(value));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    std::vector<std::string> extras = program.remaining(true);
    const auto flag =
        std::ranges::find_if(extras, [](const std::string& text) { return text.starts_with('-'); });
    if (flag != extras.end())
      return fmt::format("no option {}{}", *flag, nearest_option(program, argc, argv));
    if (!extras.empty()) return fmt::format("{} is an argument too many", in_quotes(extras[0]));
  }
  return what;
}

}  // namespace askfew::cli
