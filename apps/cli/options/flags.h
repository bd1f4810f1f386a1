#pragma once

#include <string>
#include <vector>

#include "askfew/workflows/options.h"

#include "apps/cli/options/command.h"

namespace askfew::cli {

/// Accepts what is not empty, for `check`: `--model "$UNSET"` should not run for an hour and then write
/// nothing.
std::string a_name(const std::string& text);

/// A message of the library as the command line says it: the library names options as its structs do, in
/// backquotes (`index_base`), which become flags (--index-base).
std::string with_flags(std::string text);

// Each adds flags to a command. REQUIRES: the options outlive the command.

enum class NeedsLabels : std::uint8_t { yes, no };
void add_data_flags(Command& command, DataOptions& options, NeedsLabels needs_labels = NeedsLabels::yes);
void add_cache_flag(Command& command, DataOptions& options);

// Those of a model return what they have added: with a model to resume none of them may be given.

using Flags = std::vector<Option*>;

/// Everything about a new model.
Flags add_model_flags(Command& command, ModelOptions& options);
/// All of that but the formats of files.
Flags add_live_flags(Command& command, ModelOptions& options);
/// Only how data is read.
Flags add_reading_flags(Command& command, ReadingOptions& options);
Flags add_label_flags(Command& command, LabelOptions& options);
/// Do topics decide for themselves?
Option* add_ask_flag(Command& command, std::string& ask);
/// Labels that are there already.
Option* add_seed_labels_flag(Command& command, std::string& path);
/// What predictions aim at.
Option* add_aim_flag(Command& command, std::string& aim);
/// What a sampler may spend.
Flags add_spending_flags(Command& command, SamplerOptions& options);

/// --seed of several runs.
void add_first_seed_flag(Command& command, std::uint64_t& seed);

}  // namespace askfew::cli
