#pragma once

#include "askfew/models/label_plan.h"
#include "askfew/streams/scan.h"
#include "askfew/workflows/options.h"

namespace askfew {

/// The tasks of the labels that the options name; a plan without names if they name none.
/// THROWS: ConfigError for what is malformed or contradicts itself.
LabelPlan named_labels(const LabelOptions& options);

/// Must the labels be found in the data?
bool are_to_be_found(const LabelOptions& options);

/// The tasks of the labels that a scan of the stream has found.
LabelPlan found_labels(const LabelOptions& options, const Scan& scan, const Stream& stream);

}  // namespace askfew
