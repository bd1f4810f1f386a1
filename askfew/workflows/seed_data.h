#pragma once

// Reads the labels that are learned before the first question (`--seed-labels`).

#include <memory>
#include <string>
#include <vector>

#include "askfew/models/seed_labels.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"

namespace askfew {

// What files with labels teach before the first round. THROWS: FileError, ConfigError, DataError,
// NumericError, MemoryError; DataError also if no example has a label.

/// A file that is read as the data of a run is. `config`: of the run's model, whose data is open already.
std::shared_ptr<const SeedKnowledge> seeds_of_run(const std::string& path, const DataOptions& data,
                                                  const ModelConfig& config, const Usage& usage,
                                                  const Hooks& hooks);

/// JSON lines with labels, or a table of texts, for a session.
std::shared_ptr<const SeedKnowledge> seeds_of_session(const std::string& path, const ModelConfig& config,
                                                      const Usage& usage, const Doubt& doubt);

/// Tables of texts; rows without a label are left out.
std::shared_ptr<const SeedKnowledge> seeds_of_texts(const std::vector<std::string>& paths,
                                                    const TableOptions& table, const ModelConfig& config,
                                                    const Usage& usage, const Doubt& doubt);

}  // namespace askfew
