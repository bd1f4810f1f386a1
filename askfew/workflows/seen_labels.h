#pragma once

// Finds labels that are probably mistakes, and labels that no example has.

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "askfew/models/label_plan.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// A label of the data, and how many examples have it.
struct LabelCount {
  std::string name;
  std::uint64_t examples = 0;
};

/// A label that an option names.
struct WantedLabel {
  std::string name;
  std::string_view option;
};

/// The labels that a plan names, each with its option.
std::vector<WantedLabel> wanted_labels(const LabelPlan& plan);

/// Labels that nobody wants and that are probably mistakes: one sentence each. `labels`: the number of labels
/// of all examples.
std::vector<std::string> doubts_about(const std::vector<LabelCount>& seen, std::uint64_t labels,
                                      const std::vector<WantedLabel>& wanted);
/// Labels that differ only in capitals or in blanks around them, and that are tasks or classes of their own
/// because all labels of the data were taken: one sentence, or an empty text.
std::string doubt_about_found(const std::vector<std::string>& labels);
/// Figures of a task whose examples all have the same label say nothing about telling labels apart: one
/// sentence, or an empty text.
std::string doubt_about_one_side(std::uint64_t positives, std::uint64_t examples);
/// Says that no example has the wanted label, with the nearest label and the labels seen.
std::string no_example_has(const WantedLabel& wanted, const std::vector<LabelCount>& seen);

/// For data whose labels were counted by somebody else, such as the arrays of Python. Returns the doubts. A
/// wanted label that is `missing` is an error. THROWS: ConfigError.
std::vector<std::string> check_labels(const LabelPlan& plan, const std::vector<LabelCount>& seen,
                                      const std::vector<std::string>& missing, const std::string& data);

/// Which of the labels that a plan names were seen in a stream: a label that no example has is probably
/// misspelt, and its figures would mean nothing.
class SeenLabels {
 public:
  /// REQUIRES: the plan has names; the stream outlives this object while blocks are looked at. THROWS:
  /// ConfigError for a name that the stream cannot have.
  SeenLabels(const LabelPlan& plan, Stream& stream);

  void look_at(const Examples& block, const Stream& stream);
  /// Was no example seen at all?
  [[nodiscard]] bool is_empty() const { return examples_ == 0; }
  /// What is wrong, with the nearest label and the labels seen; an empty text: every label was seen.
  [[nodiscard]] std::string complaint() const;
  /// Labels that the plan does not name, and that are probably mistakes: one sentence each.
  [[nodiscard]] std::vector<std::string> doubts() const;

 private:
  struct Missing {
    WantedLabel label;
    Examples::LabelId id = 0;
  };

  /// The labels that were seen, in the order in which they came.
  [[nodiscard]] std::vector<LabelCount> counts() const;

  std::vector<WantedLabel> wanted_;
  std::vector<Missing> missing_;
  std::unordered_map<Examples::LabelId, std::uint64_t> seen_;     // how often; only the first labels
  std::vector<std::pair<std::string, Examples::LabelId>> names_;  // of these labels
  std::uint64_t labels_ = 0;                                      // of all examples
  std::uint64_t examples_ = 0;
};

}  // namespace askfew
