#include "askfew/estimates/confusion.h"

#include <gtest/gtest.h>
#include <sstream>

#include "askfew/models/trace.h"

namespace askfew {
namespace {

TEST(Confusion, rates_equal_their_textbook_definitions) {
  Confusion c;
  for (int k = 0; k < 6; ++k) c.add(Label::positive, Label::positive);
  for (int k = 0; k < 2; ++k) c.add(Label::positive, Label::negative);
  for (int k = 0; k < 3; ++k) c.add(Label::negative, Label::positive);
  for (int k = 0; k < 9; ++k) c.add(Label::negative, Label::negative);
  EXPECT_EQ(c.rounds(), 20);
  EXPECT_EQ(c.mistakes(), 5);
  EXPECT_EQ(c.positives(), 9);
  EXPECT_DOUBLE_EQ(c.accuracy(), 15.0 / 20);
  EXPECT_DOUBLE_EQ(c.precision(), 6.0 / 8);
  EXPECT_DOUBLE_EQ(c.recall(), 6.0 / 9);
  EXPECT_DOUBLE_EQ(c.f1(), 2 * (6.0 / 8) * (6.0 / 9) / (6.0 / 8 + 6.0 / 9));
}

TEST(Confusion, without_rounds_every_rate_is_zero) {
  const Confusion c;
  EXPECT_EQ(c.accuracy(), 0);
  EXPECT_EQ(c.f1(), 0);
}

TEST(Trace, a_row_keeps_every_bit_of_its_numbers) {
  std::ostringstream out;
  TraceWriter trace(out);
  const Query query{.round = 3,
                    .prediction = Label::positive,
                    .score = {.margin = 0.1},
                    .probability = 1.0 / 3,
                    .coin = 0.25,
                    .asked = true};
  trace.write(2, {.query = query, .prediction = 1, .label = -1, .updated = true});
  EXPECT_EQ(out.str(),
            "round,task,margin,probability,coin,asked,prediction,label,updated\n"
            "3,2,0.10000000000000001,0.33333333333333331,0.25,1,1,-1,1\n");
}

TEST(Trace, classes_are_written_by_name) {
  std::ostringstream out;
  TraceWriter trace(out, {"net", "a,b", "say \"x\""});
  trace.write(0, {.query = {.round = 1}, .prediction = 0, .label = 1});
  trace.write(0, {.query = {.round = 2}, .prediction = 2, .label = 0});
  EXPECT_EQ(out.str(),
            "round,task,margin,probability,coin,asked,prediction,label,updated\n"
            "1,0,0,0,0,0,net,\"a,b\",0\n"
            "2,0,0,0,0,0,\"say \"\"x\"\"\",net,0\n");
}

}  // namespace
}  // namespace askfew
