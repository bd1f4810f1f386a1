#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace askfew::server {

inline constexpr std::size_t max_depth = 64;                   ///< of arrays and objects in a body
inline constexpr std::size_t max_line = std::size_t{1} << 20;  ///< bytes of an instance

/// Are arrays and objects nested deeper than max_depth? Brackets in strings do not count.
bool is_too_deep(std::string_view text);
/// A body of JSON. THROWS: Problem.
nlohmann::json parsed(std::string_view body);

/// Instances as lines, each followed by bytes that a session may read.
struct BodyLines {
  std::string buffer;
  std::vector<std::string_view> lines;  ///< into the buffer
  bool is_array = false;
};
/// One object, or an array of objects. THROWS: Problem.
BodyLines lines_of_json(std::string_view body);

}  // namespace askfew::server
