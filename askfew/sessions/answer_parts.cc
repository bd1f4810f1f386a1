#include "askfew/sessions/answer_parts.h"

#include <charconv>

namespace askfew {

void append_number(double value, std::string& out) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end);
}

void append_label(LabelNumber prediction, const LabelPlan& labels, std::string& out) {
  if (labels.kind == LabelPlan::Kind::one_of) {
    append_json_string(labels.names[prediction], out);
  } else {
    out += prediction == 1 ? "1" : "-1";
  }
}

}  // namespace askfew
