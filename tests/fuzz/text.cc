// Any bytes as texts, with any options: a few bytes choose the options; the rest are documents, separated by
// zeros.

#include <cmath>
#include <map>

#include "askfew/features/feature_state.h"
#include "askfew/features/stop_words.h"
#include "askfew/features/text_features.h"

#include "tests/fuzz/feed.h"
#include "tests/fuzz/harness.h"

namespace askfew::fuzz {
namespace {

NgramRange ngrams_of(Feed& feed) {
  NgramRange range;
  range.shortest = static_cast<unsigned>(feed.below(4));
  if (range.shortest > 0) range.longest = range.shortest + static_cast<unsigned>(feed.below(3));
  return range;
}

FeatureOptions options_of(Feed& feed) {
  const std::uint8_t flags = feed.byte();
  FeatureOptions options;
  options.text.fold = (flags & 1) == 0;
  if ((flags & 2) != 0) options.text.stop_words = english_stop_words();
  if ((flags & 4) != 0) options.text.stem = Stemmer::names()[feed.below(Stemmer::names().size())];
  options.text.dictionary = (flags & 8) != 0;
  if ((flags & 16) != 0) options.text.max_words = 5;
  options.tf_idf = (flags & 32) != 0;
  options.normalize = (flags & 64) != 0;
  options.bias = (flags & 128) != 0 ? 0.5 : 0;
  options.text.tf = static_cast<TermWeight>(feed.below(3));
  options.text.bits = 1 + static_cast<unsigned>(feed.below(20));  // a frequency is kept for each
  options.text.ngrams = ngrams_of(feed);
  options.text.char_ngrams = ngrams_of(feed);
  if (options.text.ngrams.empty() && options.text.char_ngrams.empty()) options.text.ngrams = {1, 1};
  return options;
}

void add(std::string_view text, const TextFeatures& features, TextScratch& scratch, Examples& block) {
  block.begin(1);
  features.add(text, block, scratch);
  features.finish(block, scratch);
  block.end_sparse();
}

void check_row(const Examples& block, std::size_t row, const FeatureOptions& options, std::size_t dimension) {
  const FeatureView x = block.x(row);
  double squares = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    FUZZ_CHECK(k == 0 || x.indices()[k - 1] < x.indices()[k]);
    FUZZ_CHECK(x.indices()[k] < dimension);
    FUZZ_CHECK(x.values()[k] > 0 && std::isfinite(x.values()[k]));
    squares += x.values()[k] * x.values()[k];
  }
  FUZZ_CHECK(x.squared_norm() == squares);
  if (options.normalize && x.size() > 0) FUZZ_CHECK(std::abs(squares - 1) < 1e-12);
  if (options.bias != 0) FUZZ_CHECK(x.size() > 0 && x.indices()[0] == 0);
}

bool same(const FeatureView& a, const FeatureView& b) {
  return a.size() == b.size() && std::equal(a.indices(), a.indices() + a.size(), b.indices()) &&
         std::equal(a.values(), a.values() + a.size(), b.values());
}

/// The same documents in one block and in blocks of one document; with one reused scratch and with new ones.
void check(const FeatureOptions& options, std::string_view documents) {
  const TextFeatures features(options.text);
  TextScratch scratch(features);
  FeatureState state(options);
  FeatureState one_by_one(options);
  RowSorter sorter;
  Examples block;
  Examples unsettled;
  block.set_bias(options.bias);
  unsettled.set_bias(options.bias);
  const bool normalize_now = options.normalize && !options.need_state();
  for (std::string_view rest = documents; !rest.empty();) {
    const std::string_view text = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    for (Examples* to : {&block, &unsettled}) {
      add(text, features, scratch, *to);
      if (normalize_now) to->normalize(to->size() - 1);
    }
    const std::size_t row = block.size() - 1;
    state.finish(block, row, 1);
    Examples alone;
    alone.set_bias(options.bias);
    TextScratch fresh(features);
    add(text, features, fresh, alone);
    if (normalize_now) alone.normalize(0);
    one_by_one.finish(alone, 0, 1);
    FUZZ_CHECK(same(block.x(row), alone.x(0)));
    const std::size_t words =
        options.text.dictionary ? state.words().size() : std::size_t{1} << options.text.bits;
    check_row(block, row, options, words + 1);
    FUZZ_CHECK(state.words().size() <= options.text.max_words);
  }
  // The learned state is enough to compute every document again, with all of its words that are in the
  // dictionary.
  state.apply(unsettled, 0, unsettled.size(), sorter);
  for (std::size_t row = 0; row < unsettled.size(); ++row) {
    FUZZ_CHECK(unsettled.x(row).size() >= block.x(row).size());
    check_row(unsettled, row, options, FeatureView::Index{1} << 28);
  }
}

}  // namespace

std::vector<std::string> seeds() {
  using namespace std::string_literals;
  const std::string documents =
      "Real-time Strategy games, the games of 1990s\0caf\xc3\xa9 CAF\xc3\x89 \xd0\x9f\xd1\x80 "
      "\xe6\x9d\xb1\xe4\xba\xac "
      "\xf0\x9f\x98\x80\0\xff\xc3 \xe6\x9d\x80 \xce\x90\xc4\xb0\xef\xac\x83"s;
  std::vector<std::string> inputs;
  for (int flags = 0; flags < 256; flags += 5) {
    inputs.push_back(std::string{static_cast<char>(flags), static_cast<char>(flags / 8), 17, 1, 1, 2, 2} +
                     documents);
  }
  inputs.push_back(std::string{4, 6, 0, 17, 1, 0, 0} + std::string(300, 'x') + " " + std::string(255, 's'));
  return inputs;
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  Feed feed(text_of(data, size));
  const askfew::FeatureOptions options = options_of(feed);
  check(options, feed.rest());
  return 0;
}
