#include "apps/cli/reports/terminal_hooks.h"

#include <fmt/core.h>
#include <iostream>

#include "askfew/config/printable.h"
#include "askfew/core/errors.h"

#include "apps/cli/options/flags.h"

namespace askfew::cli {

std::string text_of(const Skipped& skipped) {
  std::string text;
  for (const ParseError& error : skipped.first) text += fmt::format("skipped {}\n", DataError(error).what());
  const std::uint64_t more = skipped.count - skipped.first.size();
  if (more > 0) text += fmt::format("skipped {} more\n", more);
  return with_flags(std::move(text));
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::cerr << "note: " << without_controls(with_flags(note)) << '\n';
}

void set_terminal_hooks(const std::atomic<bool>& interrupted, Hooks& hooks) {
  hooks.stop = &interrupted;
  hooks.begins = [](const std::string& what) { std::cerr << what << '\n'; };
  hooks.skipped = [](const Skipped& skipped) { std::cerr << text_of(skipped); };
}

}  // namespace askfew::cli
