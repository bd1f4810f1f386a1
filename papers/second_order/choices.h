#pragma once

#include <optional>
#include <string>
#include <vector>

#include "askfew/features/feature_options.h"

namespace askfew::second_order {

/// The order in which stories come.
enum class StoryOrder : std::uint8_t { as_usual, of_the_file, random };

/// Everything that is chosen for one comparison. `what` names the difference to the usual choices.
struct Choice {
  std::string what;
  FeatureOptions features;
  std::size_t topics = 10;
  StoryOrder order = StoryOrder::as_usual;
  double a = 1;            ///< of the second-order Perceptron
  std::size_t most = 0;    ///< at most so many stories; 0: all
  bool known_idf = false;  ///< document frequencies of all stories, known from the beginning
};

/// Choices for Reuters-21578; the usual ones, those of cbgz-2006, come first.
std::vector<Choice> reuters_choices(bool quick);
/// Choices for a subset of RCV1, whose features have no words and no counts.
std::vector<Choice> rcv1_choices(bool quick);

/// Choices for the papers' stories of RCV1, whose features have tf-idf weights.
std::vector<Choice> rcv1_in_time_choices();

/// Words without stems, with stop words and without tf-idf, a constant feature and norms of 1.
FeatureOptions plain_words();

}  // namespace askfew::second_order
