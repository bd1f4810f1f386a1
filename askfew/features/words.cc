#include "askfew/features/words.h"

#include <bit>

namespace askfew {

void WordSplitter::split(std::string_view text, Words& words) const {
  words.list.clear();
  words.are_utf8 = true;
  words.bytes.fill(text, fold_);
  const ByteClasses& bytes = words.bytes;
  if (const std::size_t room = Letters::max_growth * text.size() + 8;
      bytes.any_high && words.unicode.size() < room) {
    words.unicode.resize(2 * room);
  }
  char* unicode = words.unicode.data();
  const auto add_run = [&](std::size_t begin, std::size_t end) {
    if (bytes.any_high && bytes.has_high(begin, end)) {
      unicode = split_unicode({bytes.folded.data() + begin, end - begin}, unicode, words);
    } else {
      words.list.emplace_back(bytes.folded.data() + begin, end - begin);
    }
  };
  constexpr std::size_t outside = ~std::size_t{0};
  std::size_t begin = outside;  // beginning of the current run
  std::uint64_t last = 0;       // 1 if the last byte of the block before belongs to a run
  for (std::size_t b = 0; b < bytes.blocks(); ++b) {
    const std::uint64_t runs = bytes.in_words[b] | bytes.high[b];
    // A bit is set where a run begins, and where a run has ended.
    for (std::uint64_t edges = runs ^ (runs << 1 | last); edges != 0; edges &= edges - 1) {
      const std::size_t at = b * ByteClasses::block + static_cast<std::size_t>(std::countr_zero(edges));
      if (begin == outside) {
        begin = at;
      } else {
        add_run(begin, at);
        begin = outside;
      }
    }
    last = runs >> (ByteClasses::block - 1);
  }
  if (begin != outside) add_run(begin, text.size());
}

char* WordSplitter::split_unicode(std::string_view run, char* out, Words& words) const {
  const char* begin = out;
  const auto end_word = [&] {
    if (out != begin) words.list.emplace_back(begin, static_cast<std::size_t>(out - begin));
    begin = out;
  };
  while (!run.empty()) {
    if (static_cast<unsigned char>(run[0]) < 0x80) {
      *out++ = run[0];
      run.remove_prefix(1);
      continue;
    }
    const Letters::Step step = letters_.take(run, out);
    if (step.taken == 1) words.are_utf8 = false;
    if (step.written == 0) end_word();
    out += step.written;
    run.remove_prefix(step.taken);
  }
  end_word();
  return out;
}

}  // namespace askfew
