#pragma once

#include <string>
#include <vector>

namespace askfew::fuzz {

/// Kinds of svmlight files: two labels, topics, lines without labels, comments, unusual line ends.
inline std::vector<std::string> svmlight_seeds() {
  return {
      "+1 1:0.5 3:-2.25e-3 64:1\n-1 2:1\n0 1:1e10 5:.5\n",
      "3,17 5:0.2 6:7\n 1:1 2:2\n17 4:0.125 # a comment\n# only a comment\n\n2.0 9:1\n",
      "1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1\r\n-1 134217728:1\r\n1 9:0\r\n-1",
      "-1\t7:+3\t12:1E5  \n1 65:1\n\t\n1 0:1\n1 2:1 2:1\n1 3:x\none 1:1\n1 1:nan\n1 1:1\n",
      "2 qid:7 1:0.056537 2:0.000000 3:1.000000 46:0.076923 #docid = 8 x: y\n1 qid:8 1:0.0497399253756197 "
      "2:1e-05\n",
      "-1 0:0.105053 7:-0.5 8:12345678 9:-.25 10:5. 11:0.1234567 12:99999999 13:. 14:1\n1 1:1 2:1 3:1 \n"};
}

}  // namespace askfew::fuzz
