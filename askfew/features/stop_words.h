#pragma once

#include <string_view>

namespace askfew {

/// English words that say little about what a text is about, and what is left of their short forms ("don't"
/// is the two words "don" and "t"), separated by spaces.
std::string_view english_stop_words();

}  // namespace askfew
