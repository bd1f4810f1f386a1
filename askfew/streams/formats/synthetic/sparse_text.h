#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/streams/formats/synthetic/alias_table.h"
#include "askfew/streams/formats/synthetic/generator.h"
#include "askfew/streams/formats/synthetic/index_set.h"
#include "askfew/streams/formats/synthetic/zipf_vocabulary.h"

namespace askfew {

/// Documents like those of the RCV1 news: words are drawn with Zipf's frequencies until the document has the
/// given number of different words. A word that was drawn f times has the value 1 + ln f, and x is scaled to
/// norm 1.
///
/// A document has topic k with probability share/k, independently for each topic. Each topic has its own
/// keywords, which are not among the most frequent words. A document with the topic has 1 to 2 keywords - 1
/// draws of these keywords; other documents have none. The number of keywords is chosen so that over all
/// documents they still have Zipf's frequencies. A document that is full of keywords takes no more topics.
///
/// To be exact, a document has topic k if u.x > 0 for the teacher with 1 - 1/(2 words) at the topic's
/// keywords and -1/(2 words) at all other words: a keyword has a value of at least 1, and all words together
/// hardly more than their number.
class SparseText final : public Generator {
 public:
  static constexpr double max_topics = 1000;

  struct Params {
    double n = 10'000;
    double vocabulary = 47'236;
    double words = 75;
    double zipf = 1;
    double topics = 1;
    double share = 0.5;
    double keywords = 10;
    double seed = 1;

    static constexpr std::array<Param<Params>, 8> table() {
      return {{{"n", &Params::n, count_from(1), "examples"},
               {"vocabulary",
                &Params::vocabulary,
                {.low = 2, .high = max_features, .integral = true},
                "features"},
               {"words",
                &Params::words,
                {.low = 1, .high = 100'000, .integral = true},
                "different words per document; at most half of the vocabulary"},
               {"zipf", &Params::zipf, between(0, 1.5), "exponent of the words' frequencies"},
               {"topics",
                &Params::topics,
                {.low = 0, .high = max_topics, .integral = true},
                "number of topics, of which a document has any number; 0 or 1: one label, -1 or +1"},
               {"share",
                &Params::share,
                {.low = 0, .high = 0.9, .low_open = true},
                "share of the documents with topic 1; topic k has a k-th of it"},
               {"keywords",
                &Params::keywords,
                {.low = 1, .high = 1000, .integral = true},
                "average number of keyword draws that a topic adds to a document"},
               {"seed", &Params::seed, count_from(0), "seed of the random numbers"}}};
    }
  };
  static constexpr GeneratorInfo info{"sparse-text",
                                      "Zipf's words, values 1 + ln(frequency), |x| = 1; topics have keywords",
                                      "modelled on RCV1, Lewis et al. 2004"};

  /// THROWS: ConfigError for a value out of range, or a vocabulary that is too small.
  explicit SparseText(const Params& params);

  [[nodiscard]] LabelKind label_kind() const override {
    return has_topics_ ? LabelKind::topics : LabelKind::binary;
  }
  void add(std::uint64_t round, Examples& block) override;

 private:
  [[nodiscard]] std::vector<double> teacher_of(std::uint64_t round, Examples::LabelId label) const override;
  void choose_keywords(const ZipfVocabulary& vocabulary);
  void fill_tables(const ZipfVocabulary& vocabulary);
  void draw_words(std::uint64_t round);
  void add_labels(double total, Examples& block);
  [[nodiscard]] double value_of(std::uint32_t frequency) const;
  [[nodiscard]] std::size_t topics() const { return topic_values_.size() - 1; }
  [[nodiscard]] double share_of(std::size_t topic) const {
    return params_.share / static_cast<double>(topic);
  }

  Params params_;
  std::uint64_t seed_;
  bool has_topics_;
  double max_negative_;                  // absolute value of the teacher's negative weights
  std::vector<std::uint16_t> topic_of_;  // by word; 0: no topic
  std::vector<AliasTable> tables_;       // by topic: its keywords; at 0: all other words
  std::vector<double> values_;           // values of the smaller frequencies
  // State of the current document:
  IndexSet different_;
  std::vector<std::uint32_t> frequencies_;  // by word; 0 between two documents
  std::vector<double> topic_values_;        // by topic: the sum of its keywords' values, before scaling
};

}  // namespace askfew
