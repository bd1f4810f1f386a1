#include "apps/cli/options/feature_flags.h"

#include <fmt/core.h>
#include <string>

namespace askfew::cli {

std::vector<Option*> add_feature_flags(Command& command, ReadingOptions& options) {
  std::vector<Option*> added;
  const FeatureOptions usual;
  FeatureOptions& features = options.features;
  for (const FeatureOption& option : feature_option_table()) {
    const std::string name = fmt::format("--{}", option.name);
    const std::string help(option.help);
    Option* made = nullptr;
    if (option.flag) {
      // What is on already can only be turned off.
      const std::string names =
          option.get(usual) == "yes" ? fmt::format("{},!--no-{}", name, option.name) : name;
      made = command.add_flag_function(
          names, [&features, &option](std::int64_t count) { option.set(features, count > 0 ? "yes" : "no"); },
          help);
    } else if (option.name == "stop-words") {
      made = command.add_option(name, options.stop_words, fmt::format("{}: {}", help, option.accepted))
                 ->capture_default_str();
    } else {
      made = command
                 .add_option_function(
                     name, [&features, &option](const std::string& text) { option.set(features, text); },
                     fmt::format("{} ({})", help, option.accepted))
                 ->check([&option](const std::string& text) { return refusal(option, text); })
                 ->default_str(option.get(usual));
    }
    added.push_back(made->group("Features"));
  }
  command.get_option("--bits")->excludes("--dictionary");
  command.get_option("--most-words")->needs("--dictionary");
  return added;
}

}  // namespace askfew::cli
