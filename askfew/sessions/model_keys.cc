#include "askfew/sessions/model_keys.h"

#include <filesystem>
#include <fmt/core.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew {
namespace {

/// Letters that no file system changes or confuses.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

}  // namespace

std::optional<std::string> ledger_of_key(const std::string& folder, std::string_view key) {
  const bool is_string = key.starts_with('"');
  if (is_string) key.remove_prefix(1);
  if (key.size() > longest_key) return std::nullopt;
  std::string name = is_string ? "s-" : "n-";
  unsigned sum = 0;  // spreads the files over folders
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    sum = sum * 31 + byte;
    if (is_plain(c)) {
      name += c;
    } else {
      name += fmt::format("%{:02x}", byte);
    }
  }
  return fmt::format("{}/{:02x}/{}.ledger", folder, sum % 256, name);
}

void make_folder_of(const std::string& ledger) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(ledger).parent_path(), error);
  if (error) throw FileError(fmt::format("{}: cannot make its folder: {}", ledger, error.message()));
}

std::string complaint_of_key(std::string_view field, bool is_too_long) {
  if (is_too_long) return fmt::format("the field {} has more than {} bytes", in_quotes(field), longest_key);
  return fmt::format("a line needs the field {}, a string or a number: it names the model", in_quotes(field));
}

void append_with_field(std::string_view answer, std::string_view field, std::string_view token,
                       std::string& out) {
  out.append(answer.substr(0, answer.size() - 1));  // without the closing brace
  out += ',';
  append_json_string(field, out);
  (out += ':') += token;
  out += '}';
}

}  // namespace askfew
