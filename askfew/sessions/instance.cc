#include "askfew/sessions/instance.h"

#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

#include "askfew/json/json_text.h"

namespace askfew {
namespace {

void append_string(std::string_view text, std::string& out) {
  out += utf8_json_text(nlohmann::json(text));
}

struct ContentAppender {
  const InstanceKeys& keys;
  std::string& out;

  void operator()(Instance::Text text) const {
    append_string(keys.text, out);
    out += ':';
    append_string(text, out);
  }
  void operator()(Instance::Dense numbers) const {
    out += "\"x\":[";
    for (std::size_t k = 0; k < numbers.size(); ++k)
      fmt::format_to(std::back_inserter(out), "{}{}", k == 0 ? "" : ",", numbers[k]);
    out += ']';
  }
  void operator()(const Instance::Sparse& numbers) const {
    out += "\"features\":[";
    for (std::size_t k = 0; k < numbers.indices.size(); ++k) {
      fmt::format_to(std::back_inserter(out), "{}[{},{}]", k == 0 ? "" : ",", numbers.indices[k],
                     numbers.values[k]);
    }
    out += ']';
  }
};

}  // namespace

void append_line(const Instance& instance, const InstanceKeys& keys, std::string& out) {
  out += '{';
  append_string(keys.id, out);
  out += ':';
  if (const auto* text = std::get_if<std::string_view>(&instance.id)) {
    append_string(*text, out);
  } else {
    fmt::format_to(std::back_inserter(out), "{}", std::get<std::int64_t>(instance.id));
  }
  out += ',';
  std::visit(ContentAppender{keys, out}, instance.content);
  out += '}';
}

}  // namespace askfew
