#include "askfew/features/document_frequencies.h"

#include <algorithm>

#include "askfew/math/elementary.h"

namespace askfew {
namespace {

/// Calls f(index, value) for every feature that is not 0, except the constant.
template <class F>
void for_each(Examples::Features document, bool bias, F&& f) {
  for (std::size_t k = bias ? 1 : 0; k < document.values.size(); ++k) {
    const std::size_t index = document.indices.empty() ? k : document.indices[k];
    if (document.values[k] != 0) f(index, document.values[k]);
  }
}

}  // namespace

DocumentFrequencies::DocumentFrequencies() {
  constexpr int small = 1024;
  for (int n = 0; n < small; ++n) logs_.push_back(math::log(1.0 + n));
}

double DocumentFrequencies::log_of(std::uint64_t n) const {
  return n < logs_.size() ? logs_[n] : math::log(1 + static_cast<double>(n));
}

void DocumentFrequencies::add(Examples::Features document, bool bias) {
  ++documents_;
  const double log_documents = log_of(documents_);
  const std::size_t extent =
      document.indices.empty() ? document.values.size() : document.indices.back() + std::size_t{1};
  if (extent > frequencies_.size()) frequencies_.resize(extent);
  for_each(document, bias, [&](std::size_t index, double& value) {
    value *= 1 + (log_documents - log_of(++frequencies_[index]));
  });
}

void DocumentFrequencies::weigh(Examples::Features document, bool bias) const {
  const double log_documents = log_of(documents_);
  for_each(document, bias, [&](std::size_t index, double& value) {
    value *= 1 + (log_documents - log_of(index < frequencies_.size() ? frequencies_[index] : 0));
  });
}

bool DocumentFrequencies::consistent() const {
  return documents_ <= (std::uint64_t{1} << 53) &&
         std::all_of(frequencies_.begin(), frequencies_.end(),
                     [&](std::uint64_t df) { return df <= documents_; });
}

}  // namespace askfew
