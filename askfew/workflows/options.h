#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "askfew/features/feature_options.h"
#include "askfew/streams/formats/tables/table_options.h"
#include "askfew/streams/stream_options.h"
#include "askfew/system/usual_memory.h"

// What the workflows are told. All are plain values; names, parameters and budgets are texts, as the catalog
// and the documentation write them. The defaults are those of the command line.

namespace askfew {

/// Where the data is and how it is written. Nothing of it is kept in a model.
struct DataOptions {
  /// Files that are read one after the other, packed with gzip or zstd or not. "-" is standard input,
  /// "synthetic:NAME:PARAMETER=VALUE,..." a stream that is made up.
  std::vector<std::string> paths{};
  std::string format = "auto";    ///< or a name of `format_names`
  std::string idx_labels{};       ///< label file of IDX images; empty: the name with 'labels' for 'images'
  std::string on_error = "stop";  ///< what a malformed example does: stop, or skip (it is counted)
  std::string order = "file";     ///< file: as written; time: by the examples' times, all read first
  std::string split = "all";      ///< of Reuters-21578: all, modapte, modapte-train, modapte-test
  bool with_topics = false;       ///< of Reuters-21578: leave out stories without a topic
  bool cache = false;             ///< keep the data beside the first file in a form that is read faster
  /// Threads to read with, and to share tasks or jobs out over. The results do not depend on it.
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::uint64_t max_line = StreamOptions{}.max_line;  ///< bytes of a line, or of a record of several lines
  /// Bytes for the learners' matrices and stored examples, and for long lines, wide tables and many labels
  /// that are read, all together.
  std::uint64_t max_memory = usual_memory();
};

/// Which tasks the labels make. As it stands: one task of -1 and +1, or of 1 and 2; one task per topic where
/// examples have topics.
struct LabelOptions {
  std::string positive{};    ///< one task: these labels are positive, e.g. "1,4,7"
  std::string labels{};      ///< one task per label: "all", "0-9" or "3,17"
  std::uint64_t topics = 0;  ///< one task per label, for so many of the most frequent labels; 0: all
  bool multiclass = false;   ///< one task: the labels are classes, and every example has one of them

  bool operator==(const LabelOptions&) const = default;
};

/// What examples become before a model learns from them.
struct ReadingOptions {
  FeatureOptions features{};
  std::string stop_words = "none";      ///< or english, or a file of words; see FeatureOptions for the words
  std::uint64_t dimension = 0;          ///< number of features; larger indices are errors; 0: any
  std::string index_base = "1";         ///< of svmlight text: the first index, 0 or 1, or auto
  std::string label_field = "section";  ///< of package lists: section or tag
  TableOptions table{};

  bool operator==(const ReadingOptions&) const = default;
};

/// Which labels are asked and how they are learned.
struct SamplerOptions {
  std::string sampler{};      ///< preset, e.g. "sel-p:b=0.5"; empty: pa-log, or auto with a budget
  std::string learner{};      ///< with a rule, in place of a preset, e.g. "pa-1:C=0.1"
  std::string rule{};         ///< e.g. "margin:b=0.1"
  std::string update{};       ///< mistake, asked or margin; empty: the learner's own
  std::string budget{};       ///< labels per task: "500", "5%" of the rounds, "200/day"; empty: no limit
  std::uint64_t horizon = 0;  ///< rounds that the budget is for; 0: those of a file, unknown for a pipe
  std::string audit{};        ///< ask for every label at least with this probability, e.g. "0.5%"

  bool operator==(const SamplerOptions&) const = default;
};

/// What a new model is made of.
struct ModelOptions {
  SamplerOptions sampler{};
  std::uint64_t seed = 1;  ///< of the coins
  LabelOptions labels{};
  ReadingOptions reading{};

  bool operator==(const ModelOptions&) const = default;
};

}  // namespace askfew
