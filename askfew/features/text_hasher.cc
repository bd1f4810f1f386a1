#include "askfew/features/text_hasher.h"

#define XXH_INLINE_ALL
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <xxhash.h>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
         byte >= 0x80;
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

TextHasher::TextHasher(const Options& options) : mask_((Index{1} << (options.bits % 32)) - 1) {
  if (options.bits < 1 || options.bits > 27) {
    throw ConfigError(fmt::format("bits = {} is out of range, accepted: 1 to 27", options.bits));
  }
}

void TextHasher::add(std::string_view text, Examples& block) {
  indices_.clear();
  word_.clear();
  const auto finish_word = [&] {
    if (word_.empty()) return;
    indices_.push_back(static_cast<Index>(XXH3_64bits(word_.data(), word_.size())) & mask_);
    word_.clear();
  };
  for (const char c : text) {
    if (is_word_byte(c)) {
      word_.push_back(lower(c));
    } else {
      finish_word();
    }
  }
  finish_word();
  std::sort(indices_.begin(), indices_.end());
  for (auto from = indices_.begin(); from != indices_.end();) {
    const auto past = std::find_if(from, indices_.end(), [&](Index i) { return i != *from; });
    block.add_feature(*from, 1 + std::log(static_cast<double>(past - from)));
    from = past;
  }
}

}  // namespace askfew
