#pragma once

#include <optional>
#include <string>
#include <vector>

#include "askfew/models/model.h"

namespace askfew::fuzz {

/// Rounds of ask and tell on instances of norm 1 or 0 within the dimension (0: not known), some labels told a
/// round late. Returns whether all numbers stayed finite: a NumericError is an answer, anything else is not.
bool exercise(AnySampler& sampler, FeatureView::Index dimension, int rounds = 20);

/// A few texts through the features of a model, learned or not.
void finish_texts(FeatureState& state, const FeatureOptions& options);

/// What is saved loads again without losing a bit; only numbers that are not finite may be refused.
void check_saved(const Model& model);

/// What a model saves; nothing if a number in it is not finite.
std::optional<Snapshot> saved(const Model& model);
/// A model that was loaded can be used, and saved again.
void check_usable(Model& model);

/// Small models after a few rounds, of learners whose states differ in kind.
std::vector<Model> small_models();

}  // namespace askfew::fuzz
