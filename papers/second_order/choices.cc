#include "papers/second_order/choices.h"

#include "papers/text_points.h"

namespace askfew::second_order {
namespace {

/// Changes one choice after another, always from the same usual ones.
class Changes {
 public:
  explicit Changes(Choice usual) : usual_(std::move(usual)) { all_.push_back(usual_); }

  template <class Change>
  void add(std::string what, const Change& change) {
    Choice choice = usual_;
    choice.what = std::move(what);
    change(choice);
    all_.push_back(std::move(choice));
  }
  [[nodiscard]] const std::vector<Choice>& all() const { return all_; }

 private:
  Choice usual_;
  std::vector<Choice> all_;
};

void add_for_both(Changes& changes) {
  changes.add("50 topics", [](Choice& c) { c.topics = 50; });
  changes.add("in a random order", [](Choice& c) { c.order = StoryOrder::random; });
  changes.add("a = 0.1", [](Choice& c) { c.a = 0.1; });
  changes.add("a = 10", [](Choice& c) { c.a = 10; });
}

void add_text_features(Changes& changes) {
  changes.add("no stems", [](Choice& c) { c.features.text.stem = "none"; });
  changes.add("with stop words", [](Choice& c) { c.features.text.stop_words = ""; });
  changes.add("no tf-idf", [](Choice& c) { c.features.tf_idf = false; });
  changes.add("document frequencies of all stories", [](Choice& c) { c.known_idf = true; });
  changes.add("a word counts n", [](Choice& c) { c.features.text.tf = TermWeight::count; });
  changes.add("a word counts 0 or 1", [](Choice& c) { c.features.text.tf = TermWeight::once; });
  changes.add("no constant feature", [](Choice& c) { c.features.bias = 0; });
  changes.add("norms are not 1", [](Choice& c) { c.features.normalize = false; });
  changes.add("1,024 features", [](Choice& c) { c.features.text.bits = 10; });
}

}  // namespace

FeatureOptions plain_words() {
  return {.bias = 0.2, .normalize = true};
}

std::vector<Choice> reuters_choices(bool quick) {
  Changes changes({.what = "as in cbgz-2006: no stop words, stems, tf-idf, a constant of 0.2, by date",
                   .features = standard_features().options});
  const auto plain = [](Choice& c) { c.features = plain_words(); };
  if (!quick) {
    add_text_features(changes);
    changes.add("in the order of the files", [](Choice& c) { c.order = StoryOrder::of_the_file; });
    changes.add("the first 3,000 stories", [](Choice& c) { c.most = 3000; });
    add_for_both(changes);
    changes.add("words as they are, with tf-idf, 50 topics",
                [&](Choice& c) { plain(c), c.features.tf_idf = true, c.topics = 50; });
    changes.add("words as they are, 50 topics", [&](Choice& c) { plain(c), c.topics = 50; });
    changes.add("words as they are, a word counts n",
                [&](Choice& c) { plain(c), c.features.text.tf = TermWeight::count; });
  }
  changes.add("words as they are: with stop words, no stems, no tf-idf", plain);
  return changes.all();
}

std::vector<Choice> rcv1_choices(bool quick) {
  Changes changes({.what =
                       "as in cbgz-2006: words are there or not, in the order of the file, which is sorted "
                       "by topics",
                   .features = {.normalize = true}});
  if (quick) {
    changes.add("in a random order", [](Choice& c) { c.order = StoryOrder::random; });
    return changes.all();
  }
  changes.add("tf-idf", [](Choice& c) { c.features.tf_idf = true; });
  changes.add("a constant of 0.2", [](Choice& c) { c.features.bias = 0.2; });
  add_for_both(changes);
  changes.add("in a random order, a constant of 0.2, 50 topics",
              [](Choice& c) { c.order = StoryOrder::random, c.features.bias = 0.2, c.topics = 50; });
  return changes.all();
}

std::vector<Choice> rcv1_in_time_choices() {
  Changes changes({.what = "as in the paper: tf-idf, 50 topics, in the order of time",
                   .features = {.normalize = true},
                   .topics = 50});
  changes.add("10 topics", [](Choice& c) { c.topics = 10; });
  changes.add("in a random order", [](Choice& c) { c.order = StoryOrder::random; });
  changes.add("a = 10", [](Choice& c) { c.a = 10; });
  return changes.all();
}

}  // namespace askfew::second_order
