#pragma once

// From the options of labels to the tasks of a model.

#include <span>
#include <string>

#include "askfew/models/label_plan.h"
#include "askfew/streams/scan.h"
#include "askfew/workflows/options.h"

namespace askfew {

/// The tasks for the labels that the options name; a plan without names if the options name no labels.
/// THROWS: ConfigError for malformed or contradictory options.
LabelPlan named_labels(const LabelOptions& options);

/// The text of an option that names these labels and no others. A label with a comma or a quote, and one that
/// would mean something else, such as 0-9, is put in quotes.
std::string joined_labels(std::span<const std::string> names);

/// Must the labels be found in the data?
bool are_to_be_found(const LabelOptions& options);

/// The tasks for the labels that a scan of the stream found.
LabelPlan found_labels(const LabelOptions& options, const Scan& scan, const Stream& stream);

}  // namespace askfew
