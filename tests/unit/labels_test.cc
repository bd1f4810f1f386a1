// The labels of a run that names none.

#include "askfew/workflows/labels.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "askfew/streams/label_names.h"

namespace askfew {
namespace {

/// Labels in the order of a stream. The numbers that stand for names are given in another order, as threads
/// may give them.
class LabelStream final : public Stream {
 public:
  explicit LabelStream(const std::vector<std::string>& numbered) {
    for (const std::string& name : numbered) names_.id(name);
    set_facts({.label_kind = LabelKind::classes});
  }
  void add(const std::string& label) { labels_.push_back(label); }

  tl::expected<bool, ParseError> next(Examples& block) override {
    block.clear();
    if (labels_.empty()) return false;
    for (const std::string& label : labels_) {
      block.begin(1);
      block.add_label(names_.id(label));
      block.end_sparse();
    }
    labels_.clear();
    return true;
  }
  [[nodiscard]] std::string name() const override { return "labels"; }
  Examples::LabelId label_id(std::string_view name) override { return names_.id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return names_.name(id); }

 private:
  std::vector<std::string> labels_;
  LabelNames names_;
};

std::vector<std::string> found_names(const std::vector<std::string>& numbered, const LabelOptions& options) {
  LabelStream stream(numbered);
  for (const char* label : {"sport", "7", "art", "12", "art", "7", "news", "-3"}) stream.add(label);
  const Scan found = scan(stream).value();
  return found_labels(options, found, stream).names;
}

TEST(FoundLabels, do_not_depend_on_the_numbers_that_stand_for_names) {
  const std::vector<std::string> expected{"-3", "7", "12", "sport", "art", "news"};
  EXPECT_EQ(found_names({}, {.labels = "all"}), expected);
  EXPECT_EQ(found_names({"news", "art", "sport"}, {.labels = "all"}), expected);
  EXPECT_EQ(found_names({"art", "news"}, {.multiclass = true}), expected);
}

TEST(FoundLabels, of_equally_frequent_topics_the_number_comes_first_and_then_the_first_name) {
  for (const std::vector<std::string>& numbered : {std::vector<std::string>{}, {"news", "art", "sport"}})
    EXPECT_EQ(found_names(numbered, {.topics = 5}),
              (std::vector<std::string>{"7", "art", "-3", "12", "sport"}));
}

}  // namespace
}  // namespace askfew
