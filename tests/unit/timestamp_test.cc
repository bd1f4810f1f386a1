#include "askfew/config/timestamp.h"

#include <gtest/gtest.h>

namespace askfew {
namespace {

TEST(Timestamp, CountsSecondsSince1970) {
  EXPECT_EQ(seconds_since_1970({}), 0);
  EXPECT_EQ(seconds_since_1970({.year = 2000, .month = 2, .day = 29, .hour = 23, .minute = 59, .second = 59}),
            951868799);
  EXPECT_EQ(seconds_since_1970({.year = 1969, .month = 12, .day = 31}), -86400);
  EXPECT_EQ(
      seconds_since_1970({.year = 2016, .month = 12, .day = 31, .hour = 23, .minute = 59, .second = 60}),
      seconds_since_1970({.year = 2017}));
}

TEST(Timestamp, RefusesImpossibleDatesAndTimes) {
  EXPECT_FALSE(seconds_since_1970({.year = 1900, .month = 2, .day = 29}));
  EXPECT_FALSE(seconds_since_1970({.month = 13}));
  EXPECT_FALSE(seconds_since_1970({.month = 0}));
  EXPECT_FALSE(seconds_since_1970({.day = 0}));
  EXPECT_FALSE(seconds_since_1970({.month = 4, .day = 31}));
  EXPECT_FALSE(seconds_since_1970({.hour = 24}));
  EXPECT_FALSE(seconds_since_1970({.minute = 60}));
  EXPECT_FALSE(seconds_since_1970({.second = 61}));
}

TEST(Timestamp, ReadsTheUsualFormsOfIso8601) {
  constexpr std::int64_t day = 541296000;  // 1987-02-26
  EXPECT_EQ(parse_iso_time("1987-02-26"), day);
  EXPECT_EQ(parse_iso_time("1987-02-26T15"), day + 15 * 3600);
  EXPECT_EQ(parse_iso_time("1987-02-26 15:01"), day + 15 * 3600 + 60);
  EXPECT_EQ(parse_iso_time("1987-02-26T15:01:02"), day + 15 * 3600 + 62);
  EXPECT_EQ(parse_iso_time("1987-02-26T15:01:02.987654321Z"), day + 15 * 3600 + 62);
  EXPECT_EQ(parse_iso_time("1987-02-26t15:01:02z"), day + 15 * 3600 + 62);
  EXPECT_EQ(parse_iso_time("1987-02-26T15:01:02+02:30"), day + 15 * 3600 + 62 - 9000);
  EXPECT_EQ(parse_iso_time("1987-02-26T15:01:02-0100"), day + 16 * 3600 + 62);
  EXPECT_EQ(parse_iso_time("1987-02-26T15:01:02+01"), day + 14 * 3600 + 62);
}

TEST(Timestamp, RefusesTextsThatAreNotIso8601) {
  for (const char* text : {"",
                           "noon",
                           "1987",
                           "1987-02",
                           "87-02-26",
                           "1987-2-26",
                           "1987-02-30",
                           "1987/02/26",
                           "1987-02-26T",
                           "1987-02-26T15:",
                           "1987-02-26T1:00",
                           "1987-02-26T15:1",
                           "1987-02-26T15:01:",
                           "1987-02-26T15:01:02.",
                           "1987-02-26T15:01:02Q",
                           "1987-02-26T15:01:02+",
                           "1987-02-26T15:01:02+1",
                           "1987-02-26T15:01:02+01:",
                           "1987-02-26T15:01:02+24:00",
                           "1987-02-26T15:01:02+01:60",
                           "1987-02-26T15:01:02Zx",
                           "1987-02-26T25:00",
                           " 1987-02-26",
                           "1987-02-26Z"}) {
    EXPECT_FALSE(parse_iso_time(text)) << text;
  }
}

}  // namespace
}  // namespace askfew
