// Workflows on files or on arrays. Results are the library's JSON.

#include <askfew/models/model_file.h>
#include <askfew/workflows/bound.h>
#include <askfew/workflows/evaluate.h>
#include <askfew/workflows/run.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "module.h"
#include "options.h"
#include "rows.h"
#include "watched.h"

namespace askfew::python {
namespace {

nb::dict run_workflow(nb::handle data, const nb::dict& dict, const nb::object& progress) {
  Options given(dict);
  RunOptions options;
  take(given, options.data);
  take(given, options.model);
  given.take("ask", options.model.ask);
  given.take("seed_labels", options.model.seed_labels);
  given.take("resume", options.resume);
  given.take("model_path", options.model_path);
  given.take("save_every", options.save_every);
  given.take("final_classifier", options.final_classifier);
  given.take("delta", options.delta);
  given.take("baseline", options.baseline);
  given.take("control", options.control);
  given.finish();
  const Data source(data);
  source.put_into(options.data);
  Done done{.all = source.size()};
  Interrupts interrupts(progress);
  RunHooks hooks;
  Doubts doubts;
  doubts.collect(hooks);
  hooks.stop = &interrupts.stop();
  hooks.progress = [&](const RunProgress& now) { done.now = now.rounds; };
  const RunResult result = run_watched(done, interrupts, [&] { return run(options, hooks); });
  interrupts.rethrow();
  doubts.warn();
  const std::string bytes = encode_model(snapshot_of(result.model));
  nb::dict out;
  out["json"] = json_of(result);
  out["model"] = nb::bytes(bytes.data(), bytes.size());
  out["notes"] = result.notes;
  return out;
}

std::string evaluate_workflow(const std::string& model, nb::handle data, const nb::dict& dict,
                              const nb::object& progress) {
  Options given(dict);
  EvaluateOptions options{.model = model};
  take(given, options.data);
  given.finish();
  const Data source(data);
  source.put_into(options.data);
  Done done{.all = source.size()};
  Interrupts interrupts(progress);
  EvaluateHooks hooks;
  Doubts doubts;
  doubts.collect(hooks);
  hooks.stop = &interrupts.stop();
  hooks.progress = [&](std::uint64_t examples) { done.now = examples; };
  const EvaluateResult result = run_watched(done, interrupts, [&] { return evaluate(options, hooks); });
  interrupts.rethrow();
  doubts.warn();
  return json_of(result);
}

std::string bound_workflow(nb::handle data, const nb::dict& dict, const nb::object& progress) {
  Options given(dict);
  BoundOptions options;
  take(given, options.data);
  take(given, options.model);
  given.take("svm_c", options.svm_c);
  given.take("seeds", options.seeds);
  given.finish();
  return json_of(run_jobs_watched(
      options, data, progress, [](const auto& with, const JobHooks& hooks) { return bound(with, hooks); }));
}

}  // namespace

Data::Data(nb::handle given) {
  if (nb::isinstance<nb::list>(given)) {
    paths_ = nb::cast<std::vector<std::string>>(given);
    return;
  }
  const auto parts = nb::cast<nb::tuple>(given);
  held_ = rows_of(parts[0]);
  auto memory = std::make_shared<MemoryData>();
  memory->rows = held_.rows;
  const auto labels = nb::cast<Array<std::int32_t, 1>>(parts[1]);
  memory->labels.assign(labels.data(), labels.data() + labels.size());
  if (!parts[2].is_none()) {
    const auto ends = nb::cast<Array<std::int64_t, 1>>(parts[2]);
    memory->label_ends.assign(ends.data(), ends.data() + ends.size());
  }
  memory->names = nb::cast<std::vector<std::string>>(parts[3]);
  memory_ = std::move(memory);
}

void add_workflows(nb::module_& module) {
  module.def("usual_memory", &usual_memory);
  module.def("run", &run_workflow, nb::arg("data"), nb::arg("options"), nb::arg("progress").none());
  module.def("evaluate", &evaluate_workflow, nb::arg("model"), nb::arg("data"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("bound", &bound_workflow, nb::arg("data"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace askfew::python
