#include <gtest/gtest.h>

#include "askfew/core/errors.h"
#include "askfew/workflows/labels.h"

namespace askfew {
namespace {

using Names = std::vector<std::string>;

Names named(const std::string& text) {
  return named_labels({.labels = text}).names;
}

TEST(NamedLabels, are_names_ranges_and_names_in_quotes) {
  EXPECT_EQ(named("a,b"), (Names{"a", "b"}));
  EXPECT_EQ(named("0-2,x"), (Names{"0", "1", "2", "x"}));
  EXPECT_EQ(named(R"("Doe, Jane",x)"), (Names{"Doe, Jane", "x"}));
  EXPECT_EQ(named(R"(x,"0-2","the ""best""")"), (Names{"x", "0-2", R"(the "best")"}));
  EXPECT_EQ(named(R"(5" nails)"), (Names{R"(5" nails)"}));
}

TEST(NamedLabels, with_a_quote_that_does_not_enclose_a_label_are_refused) {
  for (const char* text : {R"("Doe, Jane)", R"("Doe"x,y)", R"(a,")", R"(a,"")", "a,,b", "a,"}) {
    EXPECT_THROW(named(text), ConfigError) << text;
  }
}

TEST(NamedLabels, that_are_joined_are_named_again) {
  for (const Names& names :
       {Names{"a"}, Names{"all"}, Names{"0-9"}, Names{"a", "b,c", "\"", "\"d\"", "1-2", "all", ","}}) {
    EXPECT_EQ(named(joined_labels(names)), names);
  }
  EXPECT_EQ(joined_labels(Names{"spam", "ham"}), "spam,ham");
}

}  // namespace
}  // namespace askfew
