#include "askfew/streams/formats/synthetic/sparse_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

#include "askfew/math/elementary.h"

namespace askfew {
namespace {

constexpr std::uint32_t small_frequencies = 64;

}  // namespace

SparseText::SparseText(const Params& params)
    : Generator(checked(info.name, params).n, params.vocabulary, params.words),
      params_(params),
      seed_(static_cast<std::uint64_t>(params.seed)),
      has_topics_(params.topics > 1),
      max_negative_(1 / (2 * params.words)),
      topic_of_(dimension()),
      different_(dimension()),
      frequencies_(dimension()),
      topic_values_(static_cast<std::size_t>(std::max(1.0, params.topics)) + 1) {
  if (params.words > params.vocabulary / 2) {
    throw ConfigError(fmt::format("sparse-text: words = {} is more than half of the vocabulary of {}",
                                  params.words, params.vocabulary));
  }
  for (std::uint32_t f = 0; f < small_frequencies; ++f) values_.push_back(f == 0 ? 0 : 1 + math::log(f));
  Draws draws(seed_, CoinPurpose::teacher, 0);
  const ZipfVocabulary vocabulary(dimension(), params.zipf, draws);
  choose_keywords(vocabulary);
  fill_tables(vocabulary);
}

void SparseText::choose_keywords(const ZipfVocabulary& vocabulary) {
  const double draws = vocabulary.draws_for(params_.words);  // approximate number of draws per document
  std::uint32_t word = 0;                                    // words are in random order
  for (std::size_t topic = 1; topic <= topics(); ++topic) {
    // The wanted frequency of the keywords, and their frequency without topics.
    const double wanted = share_of(topic) * params_.keywords / draws;
    constexpr double enough = 0.95;
    double got = 0;
    for (std::size_t tried = 0; got < enough * wanted && tried < vocabulary.size(); ++tried) {
      const double p = vocabulary.probability(word);
      const bool is_common = vocabulary.rank(word) <= row_size();
      if (topic_of_[word] == 0 && !is_common && got + p <= wanted) {
        topic_of_[word] = static_cast<std::uint16_t>(topic);
        got += p;
      }
      word = word + 1 == vocabulary.size() ? 0 : word + 1;
    }
    if (got > 0) continue;
    throw ConfigError(
        fmt::format("sparse-text: vocabulary = {} has too few rare words for the keywords of topic {}",
                    dimension(), topic));
  }
}

void SparseText::fill_tables(const ZipfVocabulary& vocabulary) {
  std::vector<std::vector<std::uint32_t>> words(topics() + 1);
  std::vector<std::vector<double>> weights(topics() + 1);
  for (std::uint32_t word = 0; word < vocabulary.size(); ++word) {
    words[topic_of_[word]].push_back(word);
    weights[topic_of_[word]].push_back(vocabulary.probability(word));
  }
  for (std::size_t topic = 0; topic <= topics(); ++topic) tables_.emplace_back(words[topic], weights[topic]);
}

void SparseText::add(std::uint64_t round, Examples& block) {
  draw_words(round);
  std::fill(topic_values_.begin(), topic_values_.end(), 0.0);
  block.begin(round);
  const Examples::Room room = block.room_for(row_size());
  std::size_t size = 0;
  double total = 0;
  double squares = 0;
  different_.drain([&](std::uint32_t word) {
    const double value = value_of(std::exchange(frequencies_[word], 0));
    room.indices[size] = word + block.shift();
    room.values[size++] = value;
    topic_values_[topic_of_[word]] += value;
    total += value;
    squares += value * value;
  });
  const double norm = std::sqrt(squares);
  for (std::size_t k = 0; k < size; ++k) room.values[k] /= norm;
  block.added(size);
  add_labels(total, block);
  block.end_sparse();
}

void SparseText::draw_words(std::uint64_t round) {
  Draws draws(seed_, CoinPurpose::example, round);
  std::size_t size = 0;
  const auto draw_from = [&](const AliasTable& table) {
    const std::uint32_t word = table.draw(draws);
    size += different_.insert(word);
    ++frequencies_[word];
  };
  for (std::size_t topic = 1; topic <= topics() && size < row_size(); ++topic) {
    if (draws.uniform() >= share_of(topic)) continue;
    const auto keywords = 1 + static_cast<std::size_t>(draws.uniform() * (2 * params_.keywords - 1));
    for (std::size_t k = 0; k < keywords && size < row_size(); ++k) draw_from(tables_[topic]);
  }
  while (size < row_size()) draw_from(tables_[0]);
}

void SparseText::add_labels(double total, Examples& block) {
  const double least = max_negative_ * total;  // the smallest sum that makes u.x positive
  if (!has_topics_) {
    block.add_label(topic_values_[1] > least ? 1 : -1);
    return;
  }
  for (std::size_t topic = 1; topic <= topics(); ++topic) {
    if (topic_values_[topic] > least) block.add_label(static_cast<Examples::LabelId>(topic));
  }
}

double SparseText::value_of(std::uint32_t frequency) const {
  return frequency < small_frequencies ? values_[frequency] : 1 + math::log(frequency);
}

std::vector<double> SparseText::teacher_of(std::uint64_t /*round*/, Examples::LabelId label) const {
  std::vector<double> u(dimension(), -max_negative_);
  for (std::size_t word = 0; word < u.size(); ++word) {
    if (topic_of_[word] == label) u[word] += 1;
  }
  return u;
}

}  // namespace askfew
