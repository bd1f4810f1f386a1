// The workflows, on files or on arrays. Results are the library's JSON.

#include <askfew/models/model_file.h>
#include <askfew/workflows/bound.h>
#include <askfew/workflows/compare.h>
#include <askfew/workflows/evaluate.h>
#include <askfew/workflows/run.h>
#include <askfew/workflows/tune.h>
#include <atomic>
#include <future>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "interrupts.h"
#include "module.h"
#include "options.h"
#include "rows.h"

namespace askfew::python {
namespace {

/// The data of a workflow: paths, or a tuple (rows, labels, ends of the labels or None, names).
class Data {
 public:
  explicit Data(nb::handle given) {
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

  void put_into(DataOptions& options) const {
    options.paths = paths_;
    options.memory = memory_;
  }
  /// The number of instances; 0: not known before they are read.
  [[nodiscard]] std::uint64_t size() const { return held_.rows ? held_.rows->size() : 0; }

 private:
  std::vector<std::string> paths_;
  HeldRows held_;
  std::shared_ptr<const MemoryData> memory_;
};

struct Done {
  std::atomic<std::uint64_t> now = 0;
  std::atomic<std::uint64_t> all = 0;  ///< 0: unknown
};

/// Runs the work on another thread, so that this one can handle signals and show the progress.
template <class Work>
auto run_watched(const Done& done, Interrupts& interrupts, Work&& work) {
  const nb::gil_scoped_release released;
  auto result = std::async(std::launch::async, std::forward<Work>(work));
  const auto look = [&] { interrupts.look(true, done.now.load(), done.all.load()); };
  while (result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) look();
  look();
  return result.get();
}

nb::dict run_workflow(nb::handle data, const nb::dict& dict, const nb::object& progress) {
  Options given(dict);
  RunOptions options;
  take(given, options.data);
  take(given, options.model);
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
  hooks.stop = &interrupts.stop();
  hooks.progress = [&](const RunProgress& now) { done.now = now.rounds; };
  const RunResult result = run_watched(done, interrupts, [&] { return run(options, hooks); });
  interrupts.rethrow();
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
  hooks.stop = &interrupts.stop();
  hooks.progress = [&](std::uint64_t examples) { done.now = examples; };
  const EvaluateResult result = run_watched(done, interrupts, [&] { return evaluate(options, hooks); });
  interrupts.rethrow();
  return json_of(result);
}

/// The options of a workflow with many jobs, and the hooks to follow it.
template <class OptionsStruct, class Work>
auto run_jobs_watched(OptionsStruct& options, nb::handle data, const nb::object& progress, Work&& work) {
  const Data source(data);
  source.put_into(options.data);
  Done done;
  Interrupts interrupts(progress);
  JobHooks hooks;
  hooks.stop = &interrupts.stop();
  hooks.progress = [&](const JobsDone& now) {
    done.all = now.of_jobs;
    done.now = now.jobs;
  };
  auto result = run_watched(done, interrupts, [&] { return work(options, hooks); });
  interrupts.rethrow();
  return result;
}

std::string compare_workflow(nb::handle data, const nb::dict& dict, const nb::object& progress) {
  Options given(dict);
  CompareOptions options;
  take(given, options.data);
  take(given, options.labels);
  take(given, options.reading);
  given.take("samplers", options.samplers);
  given.take("rates", options.rates);
  given.take("runs", options.runs);
  given.take("seed", options.seed);
  given.take("shuffle", options.shuffle);
  given.finish();
  return json_of(run_jobs_watched(
      options, data, progress, [](const auto& with, const JobHooks& hooks) { return compare(with, hooks); }));
}

nb::list tune_workflow(nb::handle data, const nb::dict& dict, const nb::object& progress) {
  Options given(dict);
  TuneOptions options;
  take(given, options.data);
  take(given, options.labels);
  take(given, options.reading);
  given.take("sampler", options.sampler);
  given.take("grid", options.grid);
  given.take("rate", options.rate);
  given.take("metric", options.metric);
  given.take("holdout", options.holdout);
  given.take("runs", options.runs);
  given.take("seed", options.seed);
  given.finish();
  const TuneResult result = run_jobs_watched(
      options, data, progress, [](const auto& with, const JobHooks& hooks) { return tune(with, hooks); });
  nb::list out;
  for (const Tuned& tuned : result.tuned) {
    nb::dict row;
    row["sampler"] = tuned.sampler.name;
    row["learner"] = text_of(tuned.sampler.config.learner);
    row["rule"] = text_of(tuned.sampler.config.rule);
    row["update"] = std::string(text_of(tuned.sampler.config.update));
    row["share"] = tuned.share.mean;
    row["f1"] = tuned.f1.mean;
    row["accuracy"] = tuned.accuracy.mean;
    out.append(row);
  }
  return out;
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

void add_workflows(nb::module_& module) {
  module.def("usual_memory", &usual_memory);
  module.def("run", &run_workflow, nb::arg("data"), nb::arg("options"), nb::arg("progress").none());
  module.def("evaluate", &evaluate_workflow, nb::arg("model"), nb::arg("data"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("compare", &compare_workflow, nb::arg("data"), nb::arg("options"), nb::arg("progress").none());
  module.def("tune", &tune_workflow, nb::arg("data"), nb::arg("options"), nb::arg("progress").none());
  module.def("bound", &bound_workflow, nb::arg("data"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace askfew::python
