#include "askfew/postgres/postgres_url.h"

#include <memory>
#include <optional>

#include "askfew/core/errors.h"
#include "askfew/postgres/libpq.h"

namespace askfew {
namespace {

constexpr std::size_t max_name = 200;
constexpr std::string_view shape = "postgresql://USER@HOST:PORT/DATABASE?ledger=NAME";
constexpr std::string_view hidden = "***";

std::optional<unsigned> digit_of(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

/// A text in which %41 is A; nothing if it is malformed.
std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '%') {
      decoded += text[k];
      continue;
    }
    const auto high = k + 2 < text.size() ? digit_of(text[k + 1]) : std::nullopt;
    const auto low = k + 2 < text.size() ? digit_of(text[k + 2]) : std::nullopt;
    if (!high || !low) return std::nullopt;
    decoded += static_cast<char>(16 * *high + *low);
    k += 2;
  }
  return decoded;
}

std::string_view scheme_of(std::string_view text) {
  for (const std::string_view scheme : {std::string_view("postgresql://"), std::string_view("postgres://")}) {
    if (text.starts_with(scheme)) return scheme;
  }
  return "";
}

/// Where the password is: after the first colon, up to the last @. A text that is no port may be a password
/// whose @ was forgotten.
std::string_view password_in(std::string_view text) {
  const std::string_view rest = text.substr(scheme_of(text).size());
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return "";
  const std::size_t at = rest.rfind('@');
  if (at != std::string_view::npos) return at > colon ? rest.substr(colon + 1, at - colon - 1) : "";
  const std::string_view port = rest.substr(colon + 1, rest.find_first_of("/?", colon) - colon - 1);
  return port.find_first_not_of("0123456789,:]") == std::string_view::npos ? "" : port;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  if (what.empty()) return;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

std::string name_of_ledger(std::string_view text, const std::string& shown) {
  const auto name = percent_decoded(text);
  if (!name || name->empty() || name->size() > max_name || name->find('\0') != std::string::npos)
    throw ConfigError(shown + ": the name of the ledger must have 1 to 200 bytes, and a % in it is %25");
  return *name;
}

}  // namespace

std::string PostgresUrl::without_secret(std::string_view message) const {
  std::string line;
  for (const char c : message) {
    const bool is_space = c == '\n' || c == '\t' || c == ' ';
    if (!is_space) line += c;
    if (is_space && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  replace_all(line, connection, shown);
  replace_all(line, secret, hidden);
  if (const auto decoded = percent_decoded(secret)) replace_all(line, *decoded, hidden);
  return line;
}

bool is_postgres_url(std::string_view text) {
  return !scheme_of(text).empty();
}

PostgresUrl parse_postgres_url(std::string_view text) {
  PostgresUrl url;
  url.secret = password_in(text);
  url.shown = text;
  replace_all(url.shown, ":" + url.secret, url.secret.empty() ? ":" : "");
  const std::size_t mark = text.find('?', scheme_of(text).size() + url.secret.size());
  url.connection = text.substr(0, mark);
  std::string_view rest = mark == std::string_view::npos ? "" : text.substr(mark + 1);
  char joint = '?';
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (part.starts_with("ledger=")) {
      url.ledger = name_of_ledger(part.substr(part.find('=') + 1), url.shown);
      continue;
    }
    if (part.starts_with("password="))
      throw ConfigError(
          "a password is no parameter of the address: give it as USER:PASSWORD@HOST, or in libpq's password "
          "file");
    url.connection += joint;
    url.connection += part;
    joint = '&';
  }
  char* why = nullptr;
  const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(
      libpq().PQconninfoParse(url.connection.c_str(), &why), libpq().PQconninfoFree);
  const std::string reason = why == nullptr ? "" : url.without_secret(why);
  libpq().PQfreemem(why);
  if (options == nullptr)
    throw ConfigError(url.shown + ": cannot be read as " + std::string(shape) + ": " + reason);
  return url;
}

}  // namespace askfew
