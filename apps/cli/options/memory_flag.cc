#include "apps/cli/options/memory_flag.h"

#include <cctype>
#include <charconv>
#include <fmt/core.h>
#include <string>
#include <string_view>

#include "askfew/config/text.h"

namespace askfew::cli {
namespace {

/// The bytes in a unit, written large or small; 0 for what is none.
double bytes_in(std::string unit) {
  for (char& c : unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (unit.empty() || unit == "b") return 1;
  double decimal = 1;
  double binary = 1;
  for (const std::string_view prefix : {"k", "m", "g", "t"}) {
    decimal *= 1000;
    binary *= 1024;
    if (unit == prefix || unit == fmt::format("{}b", prefix)) return decimal;
    if (unit == fmt::format("{}ib", prefix)) return binary;
  }
  return 0;
}

}  // namespace

std::string size_in_bytes(std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  auto [past, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  while (past != end && *past == ' ') ++past;
  const double bytes = error == std::errc{} ? number * bytes_in(std::string(past, end)) : 0;
  constexpr double too_many = 0x1.0p63;
  if (!(bytes >= 1 && bytes < too_many)) {
    return fmt::format("{} is not a size such as 4096, 500MB, 2GB or 1.5GiB", in_quotes(text));
  }
  text = std::to_string(static_cast<std::uint64_t>(bytes));
  return "";
}

void add_max_memory(Command& command, std::uint64_t& bytes) {
  command
      .add_option("--max-memory", bytes,
                  "limit of the memory for matrices and stored examples of learners, questions of a stream, "
                  "long lines, wide tables and many labels, all together, e.g. 500MB or 2GiB (default: three "
                  "quarters of the machine's)")
      ->transform(size_in_bytes)
      ->type_name("SIZE");
}

}  // namespace askfew::cli
