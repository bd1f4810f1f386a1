#pragma once

#include <array>
#include <string>
#include <vector>

#include "askfew/models/label_plan.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// Finds data from which nothing can be learned, and three labels where a task has two.
class SeenExamples {
 public:
  /// `has_plain_labels`: -1, 0 and +1, which are two labels, because 0 is read as -1.
  explicit SeenExamples(bool has_plain_labels) : has_plain_labels_(has_plain_labels) {}

  /// The labels became classes or tasks, so -1, 0 and +1 are three labels.
  void take_labels_for_names() {
    has_plain_labels_ = false;
    has_ = {};
  }
  void look_at(const Examples& block);
  /// One sentence each.
  [[nodiscard]] std::vector<std::string> doubts() const;

 private:
  bool has_plain_labels_;
  bool has_examples_ = false;
  bool has_features_ = false;
  std::array<bool, 3> has_{};  // the labels -1, 0 and +1
};

}  // namespace askfew
