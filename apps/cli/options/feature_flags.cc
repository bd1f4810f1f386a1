#include "apps/cli/options/feature_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/features/stop_words.h"
#include "askfew/features/words.h"
#include "askfew/streams/byte_source.h"

namespace askfew::cli {
namespace {

constexpr std::size_t max_stop_bytes = 1'000'000;

/// The words of a file, which become a part of the model.
std::string read_words(const std::string& path, bool fold) {
  ByteSource file(path);
  std::string text(max_stop_bytes + 1, '\0');
  text.resize(file.read_fully(text.data(), text.size()));
  if (!file.failure().empty()) throw FileError(fmt::format("{}: {}", file.name(), file.failure()));
  if (text.size() > max_stop_bytes) {
    throw ConfigError(fmt::format("--stop-words {}: more than {} bytes", file.name(), max_stop_bytes));
  }
  if (!is_utf8(text)) throw ConfigError(fmt::format("--stop-words {}: not UTF-8", file.name()));
  Words words;
  WordSplitter(fold).split(text, words);
  if (words.list.empty()) throw ConfigError(fmt::format("--stop-words {}: no word in it", file.name()));
  return fmt::format("{}", fmt::join(words.list, " "));
}

}  // namespace

std::vector<CLI::Option*> FeatureFlags::add_to(CLI::App& command) {
  std::vector<CLI::Option*> added;
  const FeatureOptions usual;
  for (const FeatureOption& option : feature_option_table()) {
    const std::string name = fmt::format("--{}", option.name);
    const std::string help(option.help);
    CLI::Option* made = nullptr;
    if (option.flag) {
      // What is on already can only be turned off.
      const std::string names =
          option.get(usual) == "yes" ? fmt::format("{},!--no-{}", name, option.name) : name;
      made = command.add_flag_function(
          names, [this, &option](std::int64_t count) { option.set(options_, count > 0 ? "yes" : "no"); },
          help);
    } else if (option.name == "stop-words") {
      made = command.add_option(name, stop_words_, fmt::format("{}: {}", help, option.accepted))
                 ->capture_default_str();
    } else {
      made = command
                 .add_option_function<std::string>(
                     name, [this, &option](const std::string& text) { option.set(options_, text); },
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

FeatureOptions FeatureFlags::options() const {
  FeatureOptions options = options_;
  if (stop_words_ == "english") options.text.stop_words = english_stop_words();
  if (const std::string path = stop_words_file(); !path.empty()) {
    options.text.stop_words = read_words(path, options.text.fold);
  }
  return options;
}

std::string FeatureFlags::stop_words_file() const {
  return stop_words_ == "english" || stop_words_ == "none" ? "" : stop_words_;
}

}  // namespace askfew::cli
