#pragma once

/// All headers of askfew, for a first try. A program that is built often should include only the headers that
/// it uses.
///
/// * workflows/: the commands of the command line as functions: options in, results out
/// * sessions/: instances and labels that come one at a time, with late or missing labels and a ledger
/// * models/, streams/: a model, its file, and the loop over a stream of examples
/// * catalog/: a sampler by its name, to ask and tell
/// * core/errors.h: the exceptions; all of them are an askfew::Error

#include "askfew/catalog/catalog.h"
#include "askfew/core/errors.h"
#include "askfew/core/version.h"
#include "askfew/models/ask_tell.h"
#include "askfew/models/final_classifier.h"
#include "askfew/models/model.h"
#include "askfew/models/model_file.h"
#include "askfew/models/run_loop.h"
#include "askfew/reports/page.h"
#include "askfew/sessions/recorder.h"
#include "askfew/sessions/serve.h"
#include "askfew/streams/memory/memory_rows.h"
#include "askfew/streams/open.h"
#include "askfew/theory/bounds.h"
#include "askfew/workflows/bound.h"
#include "askfew/workflows/compare.h"
#include "askfew/workflows/convert.h"
#include "askfew/workflows/coverage.h"
#include "askfew/workflows/evaluate.h"
#include "askfew/workflows/inspect.h"
#include "askfew/workflows/label.h"
#include "askfew/workflows/predict.h"
#include "askfew/workflows/replay.h"
#include "askfew/workflows/run.h"
#include "askfew/workflows/session.h"
#include "askfew/workflows/tune.h"
#include "askfew/workflows/whatif.h"
