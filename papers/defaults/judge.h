#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "askfew/reports/page.h"

#include "papers/defaults/measure.h"

namespace askfew::defaults {

/// Every cell that was measured.
struct Measured {
  std::vector<Variant> variants;
  std::vector<std::string> samplers;    ///< the default, its learner at random, then the presets
  std::vector<std::string> changed;     ///< the default with a part left out or replaced
  std::vector<std::string> candidates;  ///< the default with other constants
  std::vector<double> shares;
  std::map<std::string, Cell> cells;
  std::vector<std::string> failed;  ///< keys of cells whose runs ended with an error

  static std::string key(const Variant& variant, const std::string& sampler, double share);
  /// Null where the share is of fewer than ten labels, or a run failed.
  [[nodiscard]] const Cell* find(const Variant& variant, const std::string& sampler, double share) const;
};

/// What is compared; smaller is better.
using Loss = double (Cell::*)() const;

/// The preset with the smallest loss, in hindsight.
struct Best {
  std::string sampler;
  double loss = 0;
};
Best best_of(const Measured& measured, const Variant& variant, double share, Loss loss);

/// "In 90 of 100 cells." with what was found in the others.
Verdict near_best(const Measured& measured, const std::string& sampler, Loss loss, const std::string& claim);
Verdict not_worse_than_random(const Measured& measured);
Verdict not_worse_than_majority(const Measured& measured);
Verdict spends_its_budget(const Measured& measured);
Verdict never_fails(const Measured& measured);

/// The default / the best preset / the default's learner at random, in percent, for variants of this name.
Table overview(const Measured& measured, std::string_view variant);
/// Constants are chosen on sets as they are read, and on texts with tf-idf and unit norms.
bool is_chosen_on(const Variant& variant);
/// The default or the candidate with the smallest mean loss, relative to the best sampler of each cell, on
/// all sets but those of the family.
std::string chosen_without(const Measured& measured, const std::string& family);
/// For each set the constants that are chosen without its family, and their errors.
Table left_out(const Measured& measured);
Verdict left_out_near_best(const Measured& measured);

/// How the variants compare: means over the sets of the loss relative to the best preset.
Table by_variant(const Measured& measured);
/// What the parts of the default are worth: means over the sets, as read and texts with tf-idf, of the loss
/// of samplers that differ from the default, relative to the default's.
Table parts(const Measured& measured, const std::vector<std::string>& names, Loss loss,
            const std::string& caption);
/// Every sampler on a variant.
Table details(const Measured& measured, const Variant& variant);

}  // namespace askfew::defaults
