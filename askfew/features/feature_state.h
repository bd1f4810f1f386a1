#pragma once

#include <memory>

#include "askfew/core/word_table.h"
#include "askfew/features/document_frequencies.h"
#include "askfew/features/feature_options.h"
#include "askfew/features/row_sorter.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// What features depend on besides their own instance, and a model remembers: the dictionary and the document
/// frequencies. Instances go through it in the order of the stream, just before they are learned, so that a
/// model saved between two of them knows what came before and no more.
class FeatureState {
 public:
  explicit FeatureState(const FeatureOptions& options = {}, std::shared_ptr<MemoryLimit> memory = nullptr);

  /// Finishes rows [first, first + count) of a block, and learns from them: words get their numbers in the
  /// dictionary, in the order of their first appearance; features get their weights; norms become 1. As far
  /// as the options want it. THROWS: MemoryError.
  void finish(Examples& block, std::size_t first, std::size_t count);
  /// How much memory that takes for one row, the only one of its block.
  [[nodiscard]] std::size_t growth(const Examples& block) const;
  /// The same with nothing learned: words that are not in the dictionary are left out.
  void apply(Examples& block, std::size_t first, std::size_t count, RowSorter& sorter) const;

  [[nodiscard]] const WordTable& words() const { return words_; }
  [[nodiscard]] std::uint64_t documents() const { return frequencies_.documents(); }

  static void state(auto& self, auto& visit) {
    if (self.options_.text.dictionary) visit("words", self.words_);
    if (self.options_.tf_idf) visit("tf_idf", self.frequencies_);
  }
  /// Is a state that was just loaded one that could have been saved?
  [[nodiscard]] bool consistent() const;

 private:
  FeatureOptions options_;
  MemoryShare memory_;
  WordTable words_;
  DocumentFrequencies frequencies_;
  RowSorter sorter_;
};

}  // namespace askfew
