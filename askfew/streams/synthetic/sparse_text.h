#pragma once

#include <array>

#include "askfew/core/params.h"
#include "askfew/streams/synthetic/generator.h"
#include "askfew/streams/synthetic/index_set.h"
#include "askfew/streams/synthetic/zipf_words.h"

namespace askfew {

/// Documents like those of the RCV1 news: words are drawn with Zipf's frequencies until the document has so
/// many different ones; a word that was drawn f times has the value 1 + ln f, and x is scaled to norm 1.
///
/// Topic k has keywords, which are no topic's but its own and none of the most frequent words. A document is
/// of the topics whose keywords it has; so many that this is the case in a share/k of all documents, about.
/// To be exact, it is of topic k if u.x > 0 for the teacher that has 1 - 1/(2 words) at the keywords, and
/// -1/(2 words) at all others: a keyword is worth at least 1, all words together hardly more than their
/// number.
class SparseText final : public Generator {
 public:
  static constexpr double most_topics = 1000;

  struct Params {
    double n = 10'000;
    double vocabulary = 47'236;
    double words = 75;
    double zipf = 1;
    double topics = 1;
    double share = 0.5;
    double seed = 1;

    static constexpr std::array<Param<Params>, 7> table() {
      return {{{"n", &Params::n, count_from(1), "examples"},
               {"vocabulary",
                &Params::vocabulary,
                {.low = 2, .high = most_features, .integral = true},
                "features"},
               {"words",
                &Params::words,
                {.low = 1, .high = 100'000, .integral = true},
                "different words a document; at most half of the vocabulary"},
               {"zipf", &Params::zipf, between(0, 1.5), "exponent of the words' frequencies"},
               {"topics",
                &Params::topics,
                {.low = 0, .high = most_topics, .integral = true},
                "labels, of which a document has any number; 0 or 1: one label, -1 or +1"},
               {"share",
                &Params::share,
                {.low = 0, .high = 0.9, .low_open = true},
                "of the documents with the first topic; those with topic k are a k-th of it"},
               {"seed", &Params::seed, count_from(0), "of the random numbers"}}};
    }
  };
  static constexpr GeneratorInfo info{"sparse-text",
                                      "Zipf's words, values 1 + ln(frequency), |x| = 1; topics have keywords",
                                      "made after RCV1, Lewis et al. 2004"};

  /// THROWS: ConfigError for a value out of range, and for a vocabulary that is too small for the rest.
  explicit SparseText(const Params& params);

  [[nodiscard]] LabelKind label_kind() const override {
    return has_topics_ ? LabelKind::topics : LabelKind::binary;
  }
  void add(std::uint64_t round, Examples& block) override;

 private:
  [[nodiscard]] std::vector<double> teacher_of(std::uint64_t round, Examples::LabelId label) const override;
  void choose_keywords(double share);
  /// Draws words until there are enough.
  void draw_words(std::uint64_t round);
  void add_labels(double total, Examples& block);
  [[nodiscard]] double value_of(std::uint32_t frequency) const;

  std::uint64_t seed_;
  bool has_topics_;
  double most_negative_;  // of the teacher's weights, without its sign
  ZipfWords words_;
  std::vector<std::uint16_t> topic_of_;  // by word; 0: none
  std::vector<double> values_;           // of the smaller frequencies
  // Of the document at hand:
  IndexSet different_;
  std::vector<std::uint32_t> frequencies_;  // by word
  std::vector<double> topic_values_;        // by topic: the sum of its keywords' values, before scaling
};

}  // namespace askfew
