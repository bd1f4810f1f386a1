#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/trials/dataset.h"

#include "papers/experiment.h"

namespace askfew::defaults {

inline constexpr std::string_view as_read = "as read";
inline constexpr std::string_view text_with_tf_idf = "tf-idf, unit norms";

/// A data set in one of the forms that it can be met in.
struct Variant {
  std::string set;
  std::string
      family;  ///< sets of one kind, like the parts of RCV1: constants are never chosen on a set's own family
  std::string name;  ///< what differs from the set as `askfew run` reads it; `as_read` for nothing
  std::shared_ptr<const Dataset> data;
  bool ordered = false;     ///< rows come in their order; otherwise each run shuffles them
  bool duplicated = false;  ///< every second row comes twice
  std::size_t rounds = 0;   ///< the first rows of the order

  [[nodiscard]] std::string title() const { return set + ", " + name; }
  /// The rows of a run, in its order.
  [[nodiscard]] std::vector<std::uint32_t> rows(std::uint64_t seed, std::uint64_t run) const;
};

/// Every data set that is in the folder, in all its variants, and every file of the folder `streams` in it;
/// what is missing is said in `missing`. Tasks are one or two labels of a set.
std::vector<Variant> all_variants(const ExperimentContext& context, std::string& missing);

/// Each feature times a number from 0.001 to 1,000 of its own.
Dataset with_wild_scales(const Dataset& data);
/// Positive and negative exchanged.
Dataset flipped(const Dataset& data);

}  // namespace askfew::defaults
