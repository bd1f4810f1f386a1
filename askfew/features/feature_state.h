#pragma once

#include <memory>

#include "askfew/core/word_table.h"
#include "askfew/features/document_frequencies.h"
#include "askfew/features/feature_options.h"
#include "askfew/features/row_sorter.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// The state that features depend on besides their own instance: the dictionary and the document frequencies.
/// A model stores this state. Instances pass through the state in the order of the stream, just before they
/// are learned, so that a saved model contains exactly the state of the instances before.
class FeatureState {
 public:
  explicit FeatureState(const FeatureOptions& options = {}, std::shared_ptr<MemoryLimit> memory = nullptr);

  /// Finishes rows [first, first + count) of a block and learns from them, as far as the options want it:
  /// words get their numbers in the dictionary, in the order of first appearance; features get their weights;
  /// norms become 1. THROWS: MemoryError.
  void finish(Examples& block, std::size_t first, std::size_t count);
  /// The additional memory for finishing a block with a single row.
  [[nodiscard]] std::size_t growth(const Examples& block) const;
  /// The same without learning: words that are not in the dictionary are dropped.
  void apply(Examples& block, std::size_t first, std::size_t count, RowSorter& sorter) const;

  [[nodiscard]] const WordTable& words() const { return words_; }
  [[nodiscard]] std::uint64_t documents() const { return frequencies_.documents(); }

  static void state(auto& self, auto& visit) {
    if (self.options_.text.dictionary) visit("words", self.words_);
    if (self.options_.tf_idf) visit("tf_idf", self.frequencies_);
  }
  /// Could the loaded state have been saved by this class?
  [[nodiscard]] bool consistent() const;

 private:
  FeatureOptions options_;
  MemoryShare memory_;
  WordTable words_;
  DocumentFrequencies frequencies_;
  RowSorter sorter_;
};

}  // namespace askfew
