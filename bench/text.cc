// Measures the speed of turning text into features, on one core, in MB/s and as a ratio to a bare loop over
// the same text in the same run. The bare loop cuts the text at bytes that are not ASCII letters or digits,
// adds up the words' XXH3, and does nothing else. The text resembles English, has 100 words per document, and
// is in memory.
//
// Each repetition runs the bare loop and then the features over the same documents; `ratio` is the median of
// the quotients of their times.

#define XXH_INLINE_ALL
#include <array>
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>
#include <xxhash.h>

#include "askfew/features/feature_state.h"
#include "askfew/features/text_features.h"

#include "bench/measure.h"

namespace askfew {
namespace {

constexpr std::size_t documents = 10'000;
constexpr std::size_t words_of_one = 100;
constexpr std::size_t vocabulary = 50'000;
constexpr std::size_t rows_at_once = 512;  // the batch size of a run

using Texts = std::vector<std::string>;

/// Words have Zipf's frequencies; frequent words are shorter, as in a language. Words consist of `letters`.
Texts make_texts(const std::vector<std::string>& letters) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  Texts words;
  for (std::size_t rank = 1; rank <= vocabulary; ++rank) {
    const double mean = 2 + 0.6 * std::log(static_cast<double>(rank));
    const auto length = static_cast<std::size_t>(std::max(1.0, mean + 4 * (uniform(random) - 0.5)));
    std::string word;
    for (std::size_t k = 0; k < length; ++k) word += letters[random() % letters.size()];
    if (rank % 7 == 0)
      word[0] = static_cast<char>(word[0] >= 'a' && word[0] <= 'z' ? word[0] - 'a' + 'A' : word[0]);
    words.push_back(word);
  }
  constexpr std::array<const char*, 8> between{" ", " ", " ", " ", " ", ", ", ". ", "-"};
  Texts texts(documents);
  for (std::string& text : texts) {
    for (std::size_t k = 0; k < words_of_one; ++k) {
      text += words[static_cast<std::size_t>(std::pow(vocabulary, uniform(random))) - 1];
      text += between[random() % between.size()];
    }
  }
  return texts;
}

const Texts& ascii() {
  static const Texts texts = make_texts({"a", "b", "d", "e", "e", "i", "l", "n", "o", "r", "s", "t", "u"});
  return texts;
}
/// One letter in thirteen is not ASCII, as in German or French.
const Texts& accents() {
  static const Texts texts = make_texts({"a", "b", "d", "e", "e", "i", "l", "n", "o", "r", "s", "t", "é"});
  return texts;
}
const Texts& cyrillic() {
  static const Texts texts = make_texts({"а", "б", "в", "г", "д", "е", "и", "к", "л", "н", "о", "р", "Т"});
  return texts;
}

std::size_t bytes_of(const Texts& texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return bytes;
}

std::uint64_t bare_loop(const Texts& texts) {
  std::array<bool, 256> in_word{};
  for (int c = 0; c < 256; ++c) {
    in_word[static_cast<std::size_t>(c)] =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 128;
  }
  std::uint64_t sum = 0;
  for (const std::string& text : texts) {
    const char* begin = text.data();
    const char* const end = begin + text.size();
    for (const char* at = begin; at != end; ++at) {
      if (in_word[static_cast<unsigned char>(*at)]) continue;
      if (at != begin) sum += XXH3_64bits(begin, static_cast<std::size_t>(at - begin));
      begin = at + 1;
    }
    if (begin != end) sum += XXH3_64bits(begin, static_cast<std::size_t>(end - begin));
  }
  return sum;
}

/// Fills blocks of rows as a stream does, and computes the features as a run does before it learns.
std::size_t features_loop(const Texts& texts, const TextFeatures& features, TextScratch& scratch,
                          FeatureState& state, bool normalize, Examples& block) {
  std::size_t made = 0;
  for (std::size_t k = 0; k < texts.size();) {
    block.clear();
    while (k < texts.size() && block.size() < rows_at_once) {
      block.begin(k + 1);
      features.add(texts[k++], block, scratch);
      features.finish(block, scratch);
      block.end_sparse();
      if (normalize) block.normalize(block.size() - 1);
    }
    state.finish(block, 0, block.size());
    for (std::size_t row = 0; row < block.size(); ++row) made += block.x(row).size();
  }
  return made;
}

void measure(benchmark::State& state, const Texts& texts, const FeatureOptions& options) {
  const TextFeatures features(options.text);
  TextScratch scratch(features);
  Examples block;
  std::vector<double> ratios;
  const auto megabytes = 1e-6 * static_cast<double>(bytes_of(texts));
  double total = 0;
  for ([[maybe_unused]] const auto _ : state) {
    const double bare = bench::seconds_of([&] { benchmark::DoNotOptimize(bare_loop(texts)); });
    FeatureState fresh(options);
    const double seconds = bench::seconds_of([&] {
      benchmark::DoNotOptimize(
          features_loop(texts, features, scratch, fresh, options.normalize && !options.need_state(), block));
    });
    ratios.push_back(seconds / bare);
    total += seconds;
    state.SetIterationTime(seconds);
  }
  state.counters["MB/s"] = megabytes * static_cast<double>(state.iterations()) / total;
  state.counters["ratio"] = bench::median(ratios);
}

void register_one(const char* name, const Texts& texts, const FeatureOptions& options) {
  benchmark::RegisterBenchmark(name,
                               [&texts, options](benchmark::State& state) { measure(state, texts, options); })
      ->UseManualTime()
      ->Iterations(15)
      ->Unit(benchmark::kMillisecond);
}

void register_all() {
  register_one("ascii", ascii(), {});
  register_one("ascii, normalize", ascii(), {.normalize = true});
  register_one("ascii, tf-idf", ascii(), {.tf_idf = true});
  register_one("ascii, tf-idf, normalize", ascii(), {.tf_idf = true, .normalize = true});
  register_one("ascii, dictionary", ascii(), {.text = {.dictionary = true}});
  register_one("ascii, ngrams 1-2", ascii(), {.text = {.ngrams = {1, 2}}});
  register_one("ascii, char-ngrams 3-5", ascii(), {.text = {.ngrams = {}, .char_ngrams = {3, 5}}});
  register_one("ascii, stem english", ascii(), {.text = {.stem = "english"}});
  register_one("accents", accents(), {});
  register_one("cyrillic", cyrillic(), {});
}

}  // namespace
}  // namespace askfew

int main(int argc, char** argv) {
  askfew::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  std::puts("ratio: time divided by the time of a bare loop that cuts the text and hashes the words");
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
