#include "askfew/sessions/control_line.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/config/text.h"
#include "askfew/json/json_text.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr std::size_t longest_control_line = std::size_t{1} << 20;

ParseError whole_line(std::string why) {
  return {.column = 1, .why = std::move(why)};
}

tl::expected<ControlLine, ParseError> pending_of(const json& line) {
  PendingRequest request;
  for (const auto& [key, value] : line.items()) {
    if (key == "pending" && value == json(true)) continue;
    if (key == "order" && value.is_string()) {
      const auto order = parse_pending_order(value.get_ref<const std::string&>());
      if (!order) return tl::unexpected(whole_line("'order' is \"oldest\", \"asked\" or \"doubtful\""));
      request.order = *order;
    } else if (key == "limit" && value.is_number_unsigned() && value.get<std::uint64_t>() > 0) {
      request.limit = value.get<std::uint64_t>();
    } else {
      return tl::unexpected(whole_line(
          fmt::format("{} is unknown or has a wrong value: expected \"pending\": true, with 'order' and a "
                      "'limit' from 1 if wanted",
                      in_quotes(key))));
    }
  }
  return request;
}

tl::expected<ControlLine, ParseError> disputed_of(const json& line) {
  DisputedRequest request;
  for (const auto& [key, value] : line.items()) {
    if (key == "disputed" && value == json(true)) continue;
    if (key != "limit" || !value.is_number_unsigned() || value.get<std::uint64_t>() == 0) {
      return tl::unexpected(whole_line(fmt::format(
          "{} is unknown or has a wrong value: expected \"disputed\": true, with a 'limit' from 1 if wanted",
          in_quotes(key))));
    }
    request.limit = value.get<std::uint64_t>();
  }
  return request;
}

/// The instance stands between the first colon and the last brace, because it is the line's only member.
tl::expected<ControlLine, ParseError> peek_of(const json& object, std::string_view line,
                                              std::size_t padding) {
  if (object.size() != 1 || !object["peek"].is_object())
    return tl::unexpected(
        whole_line("'peek' is an instance, {\"peek\": {\"id\": 7, \"text\": \"...\"}}, and stands alone"));
  const std::size_t begin = line.find(':') + 1;
  PeekRequest request{.line = std::string(line.substr(begin, line.rfind('}') - begin))};
  request.line.append(padding, ' ');
  return request;
}

tl::expected<ControlLine, ParseError> settings_of(const json& object) {
  try {
    return settings_change_of(object);
  } catch (const ConfigError& error) {
    return tl::unexpected(whole_line(error.what()));
  }
}

}  // namespace

std::optional<PendingOrder> parse_pending_order(std::string_view text) {
  if (text == "oldest" || text == "asked") return PendingOrder::asked;
  if (text == "doubtful") return PendingOrder::doubtful;
  return std::nullopt;
}

tl::expected<ControlLine, ParseError> read_control_line(std::string_view line, std::size_t padding) {
  if (line.size() <= longest_control_line) {
    const json object = try_parse_json(line);
    if (object.is_object() && object.contains("settings")) return settings_of(object["settings"]);
    if (object.is_object() && object.contains("pending")) return pending_of(object);
    if (object.is_object() && object.contains("disputed")) return disputed_of(object);
    if (object.is_object() && object.contains("peek")) return peek_of(object, line, padding);
  }
  return tl::unexpected(
      whole_line("expected an instance with 'text', 'x' or 'features', a 'label', \"report\": true, "
                 "\"pending\": true, \"disputed\": true, 'peek', or 'settings'"));
}

}  // namespace askfew
