#include "askfew/config/spec.h"

#include <algorithm>

namespace askfew {

std::pair<std::string, std::vector<Assignment>> split_spec(std::string_view text) {
  const std::size_t colon = text.find(':');
  std::vector<Assignment> assignments;
  std::string_view rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  for (bool more = colon != std::string_view::npos; more;) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      throw ConfigError(fmt::format("{} in {} is not parameter=value", in_quotes(item), in_quotes(text)));
    }
    const std::string_view key = item.substr(0, equals);
    for (const Assignment& earlier : assignments) {
      if (earlier.key == key) throw ConfigError(fmt::format("{} gives {} twice", in_quotes(text), key));
    }
    assignments.push_back({std::string(key), std::string(item.substr(equals + 1))});
  }
  return {std::string(text.substr(0, colon)), std::move(assignments)};
}

const ParamEntry* find_param(std::span<const ParamEntry> params, std::string_view key) {
  const auto found = std::find_if(params.begin(), params.end(), [&](const auto& p) { return p.name == key; });
  return found == params.end() ? nullptr : &*found;
}

void throw_unknown_param(std::string_view algorithm, std::string_view key,
                         const std::vector<ParamEntry>& params) {
  std::vector<std::string> known;
  for (const ParamEntry& param : params) known.push_back(param.name);
  throw ConfigError(fmt::format("{} has no parameter {}{}", algorithm, in_quotes(key),
                                known.empty() ? " and no other" : ": " + did_you_mean(key, known)));
}

void assign(AlgorithmSpec& spec, const ParamEntry& param, std::string_view text) {
  const std::optional<double> value = param.range.parse(text);
  if (!value && !param.range.choices.empty()) {
    throw ConfigError(fmt::format("{}: {} = {} is not one of {}", spec.name, param.name, in_quotes(text),
                                  param.range.text()));
  }
  if (!value) throw ConfigError(fmt::format("{} = {} is not a number", param.name, in_quotes(text)));
  if (!param.range.contains(*value)) throw_out_of_range(spec.name, param.name, *value, param.range);
  spec.params[param.name] = *value;
}

std::string text_of(const AlgorithmSpec& spec, std::span<const ParamEntry> params) {
  std::string text = spec.name;
  char separator = ':';
  for (const auto& [key, value] : spec.params) {
    const ParamEntry* param = find_param(params, key);
    text +=
        fmt::format("{}{}={}", separator, key, (param == nullptr ? Range{} : param->range).text_of(value));
    separator = ',';
  }
  return text;
}

}  // namespace askfew
