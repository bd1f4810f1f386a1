#pragma once

// Options that several workflows share: data, labels, features, sampler.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "askfew/features/feature_options.h"
#include "askfew/streams/formats/tables/table_options.h"
#include "askfew/streams/memory/memory_stream.h"
#include "askfew/streams/stream_options.h"
#include "askfew/system/usual_memory.h"

// The options of the workflows. All are plain values; names, parameters and budgets are texts, written as in
// the catalog and the documentation. The defaults are those of the command line.

namespace askfew {

/// Where the data is and in which format. Not stored in a model.
struct DataOptions {
  /// Files that are read one after the other, uncompressed or compressed with gzip or zstd. "-" is standard
  /// input, "synthetic:NAME:PARAMETER=VALUE,..." a synthetic stream.
  std::vector<std::string> paths{};
  /// Labelled instances in memory, instead of files.
  std::shared_ptr<const MemoryData> memory{};
  std::string format = "auto";    ///< or a name of `format_names`
  std::string idx_labels{};       ///< label file of IDX images; empty: the image file's name with 'labels'
                                  ///< for 'images'
  std::string on_error = "stop";  ///< for a malformed example: stop, or skip (skipped examples are counted)
  std::string unlabelled = "refuse";  ///< for an example without a label: refuse, or skip (they are counted)
  std::string order = "file";         ///< file: as written; after reading all examples, time: sorted by time,
                                      ///< random: shuffled by the seed
  std::string split = "all";          ///< for Reuters-21578: all, modapte, modapte-train, modapte-test
  bool with_topics = false;           ///< for Reuters-21578: skip stories without a topic
  bool cache = false;                 ///< keep a copy of the data next to the first file that is read faster
  /// Threads for reading, and for tasks or jobs. The results do not depend on the number.
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::uint64_t max_line = StreamOptions{}.max_line;  ///< most bytes of a line, or of a record with several
                                                      ///< lines
  /// Memory in bytes for the learners' matrices and stored examples, and for long lines, wide tables and many
  /// labels while reading, all together. Jobs that run at the same time get equal parts.
  std::uint64_t max_memory = usual_memory();
};

/// The tasks that the labels define. Default: one task with labels -1 and +1, or 1 and 2; one task per topic
/// if examples have topics.
struct LabelOptions {
  /// One task: these labels are positive, e.g. "1,4,7". Here and below, a label with a comma is in quotes.
  std::string positive{};
  std::string negative{};    ///< with `positive`: these are negative, and all others errors
  std::string labels{};      ///< one task per label: "all", "0-9" or "3,17"
  std::uint64_t topics = 0;  ///< one task per label, for this number of the most frequent labels; 0: all
  bool multiclass = false;   ///< one task: the labels are classes, and every example has exactly one

  bool operator==(const LabelOptions&) const = default;
};

/// How examples are transformed before a model learns from them.
struct ReadingOptions {
  FeatureOptions features{};
  std::string stop_words = "none";      ///< or english, or a file of words; FeatureOptions has the words
                                        ///< themselves
  std::uint64_t dimension = 0;          ///< number of features; larger indices are errors; 0: any
  std::string index_base = "1";         ///< for svmlight text: the first index, 0 or 1, or auto
  std::string label_field = "section";  ///< for package lists: section or tag
  TableOptions table{};

  bool operator==(const ReadingOptions&) const = default;
};

/// Which labels are asked, and how they are learned.
struct SamplerOptions {
  std::string sampler{};      ///< preset, e.g. "sel-p:b=0.5"; empty: pa-log, or auto with a budget
  std::string learner{};      ///< with a rule, instead of a preset, e.g. "pa-1:C=0.1"
  std::string rule{};         ///< e.g. "margin:b=0.1"
  std::string update{};       ///< mistake, asked or margin; empty: the learner's default
  std::string budget{};       ///< labels per task: "500", "5%" of the rounds, "200/day"; empty: no limit
  std::uint64_t horizon = 0;  ///< rounds that the budget covers; 0: the length of a file, unknown for a pipe
  std::string audit{};        ///< ask every label at least with this probability, e.g. "0.5%"; "auto": a
                              ///< fifth of the budget
  std::string aim = "accuracy";  ///< what predictions aim at: accuracy, f1, "recall=0.9" or "precision=0.9"

  bool operator==(const SamplerOptions&) const = default;
};

/// The options of a new model.
struct ModelOptions {
  SamplerOptions sampler{};
  std::uint64_t seed = 1;  ///< seed of the coins
  LabelOptions labels{};
  ReadingOptions reading{};
  /// Of several topics: apart, where each topic decides for itself, or together, with one decision per
  /// document for all of them; then budgets count documents.
  std::string ask = "apart";
  std::string seed_labels{};  ///< a labelled file that is learned before the first round; no budget and no
                              ///< estimate counts its labels

  bool operator==(const ModelOptions&) const = default;
};

}  // namespace askfew
