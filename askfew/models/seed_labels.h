#pragma once

#include <tl/expected.hpp>

#include "askfew/models/model.h"

// Threads: many threads may call these functions at the same time, each with models and streams of its own.

namespace askfew {

/// What labels that were known before the first round have taught: the state of the learners and of the
/// features. Decisions, budgets and estimates do not know these labels.
struct SeedKnowledge {
  Snapshot learned;
  SeedLabels labels;
};

/// Learns every example of the stream as if its label had been asked. THROWS: NumericError, MemoryError,
/// ModelError.
tl::expected<SeedKnowledge, ParseError> learn_seeds(const ModelConfig& config, Stream& stream,
                                                    const Usage& usage);

/// The knowledge of a model that has seen no round yet.
SeedKnowledge knowledge_of(const Model& model);

/// Gives a fresh model this knowledge. REQUIRES: the model has the same learner and features. THROWS:
/// ModelError, MemoryError.
void begin_with(const SeedKnowledge& seeds, Model& model);

}  // namespace askfew
