#include "askfew/features/feature_state.h"

namespace askfew {
namespace {

using Index = Examples::Index;

constexpr Index not_asked = ~Index{0};
constexpr Index unknown = not_asked - 1;

/// Replaces the block's numbers of a row's words by the dictionary numbers from number_of(word); words
/// without a number are dropped.
template <class F>
void number_words(Examples& block, std::size_t row, RowSorter& sorter, F&& number_of) {
  std::vector<Index>& numbers = block.dictionary_numbers();
  numbers.resize(block.words().size(), not_asked);
  const auto [indices, values] = block.features(row);
  const std::size_t first = block.has_bias() ? 1 : 0;
  std::size_t kept = first;
  for (std::size_t k = first; k < indices.size(); ++k) {
    const auto word = static_cast<WordTable::Number>(indices[k] - first);
    if (numbers[word] == not_asked) numbers[word] = number_of(block.words()[word]);
    if (numbers[word] == unknown) continue;
    indices[kept] = static_cast<Index>(numbers[word] + first);
    values[kept++] = values[k];
  }
  sorter(indices.subspan(first, kept - first), values.subspan(first, kept - first));
  block.changed(row, kept);
}

Index known_or_not(WordTable::Number number) {
  return number == WordTable::none ? unknown : number;
}

}  // namespace

FeatureState::FeatureState(const FeatureOptions& options, std::shared_ptr<MemoryLimit> memory)
    : options_(options), memory_(std::move(memory)) {}

void FeatureState::finish(Examples& block, std::size_t first, std::size_t count) {
  if (block.words().size() == 0 && !options_.need_state()) return;
  const auto number_of = [&](std::string_view word) -> Index {
    return words_.size() < options_.text.max_words ? words_.add(word) : known_or_not(words_.find(word));
  };
  for (std::size_t row = first; row < first + count; ++row) {
    if (block.words().size() > 0) number_words(block, row, sorter_, number_of);
    if (options_.tf_idf) {
      const Examples::Features features = block.features(row);
      frequencies_.add(features, block.has_bias());
      block.changed(row, features.values.size());
    }
    if (options_.need_state() && options_.normalize) block.normalize(row);
  }
  memory_.resize(words_.memory(), "the dictionary");
}

std::size_t FeatureState::growth(const Examples& block) const {
  const WordTable& words = block.words();
  std::size_t added = 0;
  std::size_t bytes = 0;
  for (WordTable::Number number = 0; number < words.size(); ++number) {
    if (words_.size() + added == options_.text.max_words) break;
    if (words_.find(words[number]) != WordTable::none) continue;
    ++added;
    bytes += words[number].size();
  }
  return words.size() == 0 ? 0 : memory_.growth_to(words_.memory_with(added, bytes));
}

void FeatureState::apply(Examples& block, std::size_t first, std::size_t count, RowSorter& sorter) const {
  const auto number_of = [&](std::string_view word) { return known_or_not(words_.find(word)); };
  for (std::size_t row = first; row < first + count; ++row) {
    if (block.words().size() > 0) number_words(block, row, sorter, number_of);
    if (options_.tf_idf) {
      const Examples::Features features = block.features(row);
      frequencies_.weigh(features, block.has_bias());
      block.changed(row, features.values.size());
    }
    if (options_.need_state() && options_.normalize) block.normalize(row);
  }
}

bool FeatureState::consistent() const {
  return words_.size() <= options_.text.max_words && frequencies_.consistent();
}

}  // namespace askfew
