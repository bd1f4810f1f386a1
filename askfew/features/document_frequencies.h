#pragma once

#include <cstdint>
#include <vector>

#include "askfew/core/examples.h"

namespace askfew {

/// The number of documents with each feature, for weights that favour rare features:
///
///   idf(i) = 1 + ln(1 + n) - ln(1 + df(i)),   x(i) <- x(i) idf(i)
///
/// where n documents were seen and df(i) of them had feature i, the present one included. (scikit-learn's
/// smooth idf.) A feature that is in every document keeps its value; no feature becomes 0. A weight depends
/// on the present and earlier documents only.
class DocumentFrequencies {
 public:
  DocumentFrequencies();

  /// Counts a document and weighs its features.
  void add(Examples::Features document, bool bias);
  /// Weighs the features of a document that is not counted.
  void weigh(Examples::Features document, bool bias) const;

  [[nodiscard]] std::uint64_t documents() const { return documents_; }

  static void state(auto& self, auto& visit) {
    visit("documents", self.documents_);
    visit("frequencies", self.frequencies_);
  }
  /// Could the loaded state have been saved by this class?
  [[nodiscard]] bool consistent() const;

 private:
  [[nodiscard]] double log_of(std::uint64_t n) const;  // ln(1 + n)

  std::uint64_t documents_ = 0;
  std::vector<std::uint64_t> frequencies_;
  std::vector<double> logs_;  // for small numbers, because most words are rare
};

}  // namespace askfew
