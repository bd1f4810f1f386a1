#pragma once

#include <string_view>

namespace askfew {

/// English words that say little about the topic of a text, and the parts of their short forms ("don't" gives
/// the words "don" and "t"), separated by spaces.
std::string_view english_stop_words();

}  // namespace askfew
