#pragma once

#include <simdjson.h>
#include <string>
#include <string_view>

#include "askfew/core/errors.h"
#include "askfew/streams/formats/common/malformed.h"

namespace askfew::json {

using Value = simdjson::ondemand::value;

[[noreturn]] void fail(Value& value, std::string why);

/// The value as it is written, without what follows it; an array or object is its bracket. For messages.
std::string_view token(Value& value);

// Each THROWS Malformed if the value is of another kind, or of this one but malformed; `what` and the value
// go before the reason: "time 'noon' is not ...".
double number(Value value, std::string_view what);
std::string_view string(Value value, std::string_view what);
bool boolean(Value value, std::string_view what);
/// Takes the value if it is null.
bool is_null(Value& value);

/// Is it a whole number, and none so large that a double cannot tell it from the next?
bool is_whole(double number);

/// The key of a field.
std::string_view key(simdjson::simdjson_result<simdjson::ondemand::field>& field);

/// Passes over a value that nobody wants to know, and checks that it is JSON.
void pass_over(Value value, unsigned depth = 0);

/// What an error of simdjson means, and where it is in the line. `document` is where simdjson stopped, null
/// if it did not begin.
ParseError explain(simdjson::error_code error, std::string_view line, simdjson::ondemand::document* document);

}  // namespace askfew::json
