#pragma once

// Parts of answers that several kinds of answers share.

#include <string>

#include "askfew/config/text.h"
#include "askfew/core/round.h"
#include "askfew/models/label_plan.h"

// The parts that several answers have. Each function appends JSON.

namespace askfew {

/// The shortest text that reads back as the same number.
void append_number(double value, std::string& out);
/// A label of a task as a person gave it: 1, -1, or the name of a class.
void append_label(LabelNumber label, const LabelPlan& labels, std::string& out);

/// Calls append(k) for each topic after its name, as the members of an object.
template <class Append>
void append_topics(const LabelPlan& labels, std::size_t topics, const Append& append, std::string& out) {
  out += '{';
  bool is_first = true;
  for (std::size_t k = 0; k < topics; ++k) {
    const std::size_t begin = out.size();
    if (!is_first) out += ',';
    append_json_string(labels.names[k], out);
    out += ':';
    if (append(k)) {
      is_first = false;
    } else {
      out.resize(begin);
    }
  }
  out += '}';
}

}  // namespace askfew
