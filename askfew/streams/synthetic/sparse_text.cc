#include "askfew/streams/synthetic/sparse_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace askfew {
namespace {

constexpr std::uint32_t small_frequencies = 64;

ZipfWords words_of(const SparseText::Params& params) {
  if (params.words > params.vocabulary / 2) {
    throw ConfigError(fmt::format("sparse-text: words = {} is more than half of the vocabulary of {}",
                                  params.words, params.vocabulary));
  }
  Draws draws(static_cast<std::uint64_t>(params.seed), CoinPurpose::teacher, 0);
  return {static_cast<std::size_t>(params.vocabulary), params.zipf, draws};
}

}  // namespace

SparseText::SparseText(const Params& params)
    : Generator(checked(info.name, params).n, params.vocabulary, params.words),
      seed_(static_cast<std::uint64_t>(params.seed)),
      has_topics_(params.topics > 1),
      most_negative_(1 / (2 * params.words)),
      words_(words_of(params)),
      topic_of_(dimension()),
      different_(dimension()),
      frequencies_(dimension()),
      topic_values_(static_cast<std::size_t>(std::max(1.0, params.topics)) + 1) {
  for (std::uint32_t f = 0; f < small_frequencies; ++f) values_.push_back(f == 0 ? 0 : 1 + std::log(f));
  choose_keywords(params.share);
}

void SparseText::choose_keywords(double share) {
  // With N draws a document has none of words that are drawn with probability q in all with about e^(-N q).
  const double draws = words_.draws_for(static_cast<double>(row_size()));
  std::uint32_t word = 0;  // words are in random order
  for (std::size_t topic = 1; topic < topic_values_.size(); ++topic) {
    const double wanted = -std::log1p(-share / static_cast<double>(topic)) / draws;
    constexpr double enough = 0.95;
    double got = 0;
    for (std::size_t tried = 0; got < enough * wanted && tried < words_.size(); ++tried) {
      const double p = words_.probability_of_rank(words_.rank(word));
      const bool is_common = words_.rank(word) <= row_size();
      if (topic_of_[word] == 0 && !is_common && got + p <= wanted) {
        topic_of_[word] = static_cast<std::uint16_t>(topic);
        got += p;
      }
      word = word + 1 == words_.size() ? 0 : word + 1;
    }
    if (got > 0) continue;
    throw ConfigError(
        fmt::format("sparse-text: vocabulary = {} has no keywords of the right frequency for "
                    "topic {}: give a larger vocabulary or fewer topics",
                    dimension(), topic));
  }
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
    const double value = value_of(frequencies_[word]);
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
  for (std::size_t size = 0; size < row_size();) {
    const std::uint32_t word = words_.draw(draws);
    const bool is_new = different_.insert(word);
    frequencies_[word] = is_new ? 1 : frequencies_[word] + 1;
    size += is_new ? 1 : 0;
  }
}

void SparseText::add_labels(double total, Examples& block) {
  const double least = most_negative_ * total;  // that makes u.x positive
  if (!has_topics_) {
    block.add_label(topic_values_[1] > least ? 1 : -1);
    return;
  }
  for (std::size_t topic = 1; topic < topic_values_.size(); ++topic) {
    if (topic_values_[topic] > least) block.add_label(static_cast<Examples::LabelId>(topic));
  }
}

double SparseText::value_of(std::uint32_t frequency) const {
  return frequency < small_frequencies ? values_[frequency] : 1 + std::log(frequency);
}

std::vector<double> SparseText::teacher_of(std::uint64_t /*round*/, Examples::LabelId label) const {
  std::vector<double> u(dimension(), -most_negative_);
  for (std::size_t word = 0; word < u.size(); ++word) {
    if (topic_of_[word] == label) u[word] += 1;
  }
  return u;
}

}  // namespace askfew
