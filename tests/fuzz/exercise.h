#pragma once

#include <optional>
#include <string>
#include <vector>

#include "askfew/models/model.h"

namespace askfew::fuzz {

/// Runs rounds of ask and tell on instances of norm 1 or 0 within the dimension (0: unknown); some labels
/// come one round later. Returns whether all numbers stayed finite: a NumericError is allowed, any other
/// exception is a finding.
bool exercise(AnySampler& sampler, FeatureView::Index dimension, int rounds = 20);

/// Computes the features of a few texts, with and without learning them.
void finish_texts(FeatureState& state, const FeatureOptions& options);

/// Saves the model and loads it again without losing a bit; only numbers that are not finite may be refused.
void check_saved(const Model& model);

/// The bytes of a saved model; nothing if a number in the model is not finite.
std::optional<Snapshot> saved(const Model& model);
/// Uses a loaded model and saves it again.
void check_usable(Model& model);

/// Small models after a few rounds, with learners of different kinds of state.
std::vector<Model> small_models();

}  // namespace askfew::fuzz
