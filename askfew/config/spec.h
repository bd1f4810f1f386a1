#pragma once

#include <fmt/core.h>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askfew/config/names.h"
#include "askfew/config/params.h"
#include "askfew/config/text.h"

namespace askfew {

/// A name with parameters, written `pa-1:C=0.1`. Parameters that are not given have their defaults.
struct AlgorithmSpec {
  std::string name;
  std::map<std::string, double> params;

  bool operator==(const AlgorithmSpec&) const = default;
};

/// A row of any parameter table.
struct ParamEntry {
  std::string name;
  double standard = 0;
  Range range;
  std::string help;
};

template <class P>
std::vector<ParamEntry> param_entries() {
  const P standard{};
  std::vector<ParamEntry> entries;
  for (const Param<P>& param : param_table<P>()) {
    entries.push_back({std::string(param.name), standard.*param.field, param.range, std::string(param.help)});
  }
  return entries;
}

/// Null if no parameter has this name.
const ParamEntry* find_param(std::span<const ParamEntry> params, std::string_view key);
[[noreturn]] void throw_unknown_param(std::string_view algorithm, std::string_view key,
                                      const std::vector<ParamEntry>& params);

struct Assignment {
  std::string key;
  std::string value;
};
/// Splits `name:key=value,key=value`. THROWS: ConfigError.
std::pair<std::string, std::vector<Assignment>> split_spec(std::string_view text);

/// Sets a parameter to the value of a text. THROWS: ConfigError if the text is not a value in the range.
void assign(AlgorithmSpec& spec, const ParamEntry& param, std::string_view text);

/// The entry with this `info.name`. THROWS: ConfigError with the existing names.
template <class Entries>
auto& entry_named(Entries& entries, std::string_view name, std::string_view kind) {
  std::vector<std::string> known;
  for (auto& entry : entries) {
    if (entry.info.name == name) return entry;
    known.emplace_back(entry.info.name);
  }
  throw ConfigError(fmt::format("unknown {} {}: {}", kind, in_quotes(name), did_you_mean(name, known)));
}

/// All parameters, given or default, of the entry that a text names. THROWS: ConfigError.
template <class Entry>
AlgorithmSpec parse_spec(std::string_view text, const std::vector<Entry>& entries, std::string_view kind) {
  const auto [name, assignments] = split_spec(text);
  const Entry& entry = entry_named(entries, name, kind);
  AlgorithmSpec spec{.name = name, .params = {}};
  for (const ParamEntry& param : entry.params) spec.params[param.name] = param.standard;
  for (const Assignment& given : assignments) {
    const ParamEntry* param = find_param(entry.params, given.key);
    if (param == nullptr) throw_unknown_param(name, given.key, entry.params);
    assign(spec, *param, given.value);
  }
  return spec;
}

/// The text of a spec, with all of its parameters.
std::string text_of(const AlgorithmSpec& spec, std::span<const ParamEntry> params);

/// Converts the parameters to fields.
template <class P>
P params_of(const AlgorithmSpec& spec) {
  P params{};
  for (const Param<P>& param : param_table<P>()) {
    if (const auto found = spec.params.find(std::string(param.name)); found != spec.params.end()) {
      params.*param.field = found->second;
    }
  }
  return params;
}

}  // namespace askfew
