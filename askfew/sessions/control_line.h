#pragma once

// Lines that are neither an instance nor a label: requests and settings.

#include <cstdint>
#include <optional>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

#include "askfew/core/errors.h"
#include "askfew/sessions/live_settings.h"

namespace askfew {

/// The order in which waiting questions are listed.
enum class PendingOrder : std::uint8_t {
  asked,    ///< as they were asked: the oldest first
  doubtful  ///< the smallest |margin| first
};
/// `oldest` and `asked` are one order.
std::optional<PendingOrder> parse_pending_order(std::string_view text);

/// A line that wants to see the waiting questions: {"pending": true, "order": "doubtful", "limit": 10}.
struct PendingRequest {
  PendingOrder order = PendingOrder::asked;
  std::uint64_t limit = 100;
};

/// A line that wants to see the questions on which people disagree: {"disputed": true, "limit": 10}.
struct DisputedRequest {
  std::uint64_t limit = 100;
};

/// A line that wants to know what would be decided about an instance: {"peek": {"id": 7, "text": "..."}}.
struct PeekRequest {
  std::string line;  ///< the instance, with IncomingReader::padding spaces behind it
};

/// A line that changes settings: {"settings": {"budget": 300}}; other keys, as `by`, are only recorded.
using ControlLine = std::variant<PendingRequest, DisputedRequest, PeekRequest, SettingsChange>;

/// Reads a line that is neither an instance nor a label nor wants a report. `padding`: see PeekRequest. An
/// error has its column.
tl::expected<ControlLine, ParseError> read_control_line(std::string_view line, std::size_t padding);

}  // namespace askfew
