#include "apps/server/json_body.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/json/json_text.h"
#include "askfew/sessions/incoming.h"

#include "apps/server/http.h"

namespace askfew::server {
namespace {

using nlohmann::json;

constexpr std::string_view blanks = " \t\r\n";

/// Calls see(character, place) for each character outside of strings.
template <class See>
void outside_strings(std::string_view text, See&& see) {
  bool in_string = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (in_string) {
      if (c == '\\') {
        ++k;
      } else if (c == '"') {
        in_string = false;
      }
      continue;
    }
    if (c == '"') in_string = true;
    see(c, k);
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

void add_line(std::string_view line, std::vector<std::string_view>& lines) {
  line = trimmed(line);
  if (line.empty()) throw Problem{400, "an empty element in the array"};
  if (line.size() > max_line) throw Problem{413, fmt::format("an instance of more than {} bytes", max_line)};
  lines.push_back(line);
}

/// The elements of an array at the top.
void split_array(std::string_view text, std::vector<std::string_view>& lines) {
  std::size_t depth = 0;
  std::size_t begin = 1;
  std::size_t end = 0;
  outside_strings(text, [&](char c, std::size_t k) {
    if (end > 0) throw Problem{400, "more behind the array"};
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') {
      if (depth == 0) throw Problem{400, "a closing bracket without an opening one"};
      if (--depth == 0) end = k;
    }
    if (c == ',' && depth == 1) {
      add_line(text.substr(begin, k - begin), lines);
      begin = k + 1;
    }
  });
  if (end == 0) throw Problem{400, "the array has no end"};
  const std::string_view last = text.substr(begin, end - begin);
  if (!lines.empty() || !trimmed(last).empty()) add_line(last, lines);
}

}  // namespace

bool is_too_deep(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  outside_strings(text, [&](char c, std::size_t) {
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
  });
  return deepest > max_depth;
}

json parsed(std::string_view body) {
  if (is_too_deep(body)) throw Problem{400, fmt::format("nested deeper than {}", max_depth)};
  try {
    return parse_json(body);
  } catch (const json::exception& error) {
    // The library puts the name of the exception before its sentence, in brackets.
    const std::string_view what = error.what();
    throw Problem{400, "the body is not JSON: " + std::string(what.substr(what.find("] ") + 2))};
  }
}

BodyLines lines_of_json(std::string_view body) {
  if (is_too_deep(body)) throw Problem{400, fmt::format("nested deeper than {}", max_depth)};
  BodyLines result;
  result.buffer.reserve(body.size() + IncomingReader::padding);
  result.buffer = body;
  // A line end between two tokens means the same as a blank; inside a string it is not JSON.
  std::ranges::replace(result.buffer, '\n', ' ');
  std::ranges::replace(result.buffer, '\r', ' ');
  const std::size_t size = result.buffer.size();
  result.buffer.append(IncomingReader::padding, ' ');
  const std::string_view text = trimmed(std::string_view(result.buffer).substr(0, size));
  if (text.empty()) throw Problem{400, "the body is empty: expected an object or an array of objects"};
  result.is_array = text.front() == '[';
  if (result.is_array) {
    split_array(text, result.lines);
  } else {
    add_line(text, result.lines);
  }
  return result;
}

}  // namespace askfew::server
