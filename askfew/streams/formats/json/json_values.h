#pragma once

// Reads single JSON values, with messages that name the place.

#include <simdjson.h>
#include <string>
#include <string_view>

#include "askfew/core/errors.h"
#include "askfew/streams/formats/common/malformed.h"

namespace askfew::json {

using Value = simdjson::ondemand::value;

[[noreturn]] void fail(Value& value, std::string why);

/// The value as written, without the text after it; for an array or object only the bracket. For messages.
std::string_view token(Value& value);

// Each function THROWS Malformed if the value has another kind or is malformed; the message starts with
// `what` and the value: "time 'noon' is not ...".
double number(Value value, std::string_view what);
std::string_view string(Value value, std::string_view what);
bool boolean(Value value, std::string_view what);
/// Consumes the value if it is null.
bool is_null(Value& value);

/// Is it a whole number that is small enough for a double to be exact?
bool is_whole(double number);

/// The key of a field.
std::string_view key(simdjson::simdjson_result<simdjson::ondemand::field>& field);

/// Skips an unused value, and checks that it is JSON.
void pass_over(Value value, unsigned depth = 0);

/// The meaning of a simdjson error and its place in the line. `document` is where simdjson stopped; null if
/// it did not start.
ParseError explain(simdjson::error_code error, std::string_view line, simdjson::ondemand::document* document);

}  // namespace askfew::json
