// Experiments of many jobs: compare, tune and coverage, in this process or in parts that others run.

#include <algorithm>
#include <askfew/trials/dataset.h>
#include <askfew/workflows/coverage.h>
#include <askfew/workflows/load.h>
#include <askfew/workflows/tune.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "errors.h"
#include "module.h"
#include "options.h"
#include "watched.h"

namespace askfew::python {
namespace {

CompareOptions compare_options(Options& given) {
  CompareOptions options;
  take(given, options.data);
  take(given, options.labels);
  take(given, options.reading);
  given.take("samplers", options.samplers);
  given.take("rates", options.rates);
  given.take("aim", options.aim);
  given.take("runs", options.runs);
  given.take("seed", options.seed);
  given.take("shuffle", options.shuffle);
  return options;
}

TuneOptions tune_options(Options& given) {
  TuneOptions options;
  take(given, options.data);
  take(given, options.labels);
  take(given, options.reading);
  given.take("sampler", options.sampler);
  given.take("grid", options.grid);
  given.take("rate", options.rate);
  given.take("metric", options.metric);
  given.take("aim", options.aim);
  given.take("holdout", options.holdout);
  given.take("runs", options.runs);
  given.take("seed", options.seed);
  return options;
}

CoverageOptions coverage_options(Options& given) {
  CoverageOptions options;
  take(given, options.data);
  take(given, options.labels);
  take(given, options.reading);
  take(given, options.sampler);
  given.take("runs", options.runs);
  given.take("seed", options.seed);
  given.take("every", options.every);
  return options;
}

/// Calls act(options, run) for the experiment of this name; `run` is the workflow, on its options or on data
/// and its options.
template <class Act>
auto with_experiment(const std::string& name, const nb::dict& dict, Act&& act) {
  Options given(dict);
  const auto run = [&](auto options, const auto& workflow) {
    given.finish();
    return act(std::move(options), workflow);
  };
  if (name == "compare")
    return run(compare_options(given), [](const auto&... with) { return compare(with...); });
  if (name == "tune") return run(tune_options(given), [](const auto&... with) { return tune(with...); });
  if (name == "coverage")
    return run(coverage_options(given), [](const auto&... with) { return coverage(with...); });
  refuse("there is no experiment '" + name + "'");
}

std::string run_experiment(const std::string& name, nb::handle data, const nb::dict& dict,
                           const nb::object& progress) {
  return with_experiment(name, dict, [&](auto options, const auto& workflow) {
    return json_of(run_jobs_watched(options, data, progress, workflow));
  });
}

/// An array of numpy that owns a copy of the numbers.
template <class T>
nb::object copied(std::span<const T> from) {
  auto* memory = new T[std::max<std::size_t>(1, from.size())];
  std::copy(from.begin(), from.end(), memory);
  const nb::capsule owner(memory, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(memory, {from.size()}, owner));
}

/// The data of an experiment as columns, which other processes can read where they are.
nb::dict load_columns(const std::string& name, nb::handle data, const nb::dict& dict) {
  const Data source(data);
  Doubts doubts;
  const Dataset dataset = with_experiment(name, dict, [&](auto options, const auto& /*workflow*/) {
    source.put_into(options.data);
    Hooks hooks;
    doubts.collect(hooks);
    const nb::gil_scoped_release released;
    InputData input(options.data, hooks);
    return load_data(input, options);
  });
  doubts.warn();
  const DatasetColumns& all = dataset.columns();
  nb::dict out;
  out["value_ends"] = copied(all.value_ends);
  out["index_ends"] = copied(all.index_ends);
  out["squared_norms"] = copied(all.squared_norms);
  out["extents"] = copied(all.extents);
  out["values"] = copied(all.values);
  out["indices"] = copied(all.indices);
  out["labels"] =
      copied(std::span(reinterpret_cast<const std::int8_t*>(all.labels.data()), all.labels.size()));
  out["tasks"] = all.tasks;
  out["dimension"] = all.dimension;
  return out;
}

/// The columns of `load_columns`, in place.
class Columns {
 public:
  explicit Columns(const nb::dict& columns)
      : value_ends_(nb::cast<Array<std::uint64_t, 1>>(columns["value_ends"], false)),
        index_ends_(nb::cast<Array<std::uint64_t, 1>>(columns["index_ends"], false)),
        squared_norms_(nb::cast<Array<double, 1>>(columns["squared_norms"], false)),
        extents_(nb::cast<Array<FeatureView::Index, 1>>(columns["extents"], false)),
        values_(nb::cast<Array<double, 1>>(columns["values"], false)),
        indices_(nb::cast<Array<FeatureView::Index, 1>>(columns["indices"], false)),
        labels_(nb::cast<Array<std::int8_t, 1>>(columns["labels"], false)),
        dataset_({.value_ends = span_of(value_ends_),
                  .index_ends = span_of(index_ends_),
                  .squared_norms = span_of(squared_norms_),
                  .extents = span_of(extents_),
                  .values = span_of(values_),
                  .indices = span_of(indices_),
                  .labels = {reinterpret_cast<const Label*>(labels_.data()), labels_.size()},
                  .tasks = nb::cast<std::size_t>(columns["tasks"]),
                  .dimension = nb::cast<FeatureView::Index>(columns["dimension"])},
                 nullptr) {}

  [[nodiscard]] const Dataset& dataset() const { return dataset_; }

 private:
  Array<std::uint64_t, 1> value_ends_;
  Array<std::uint64_t, 1> index_ends_;
  Array<double, 1> squared_norms_;
  Array<FeatureView::Index, 1> extents_;
  Array<double, 1> values_;
  Array<FeatureView::Index, 1> indices_;
  Array<std::int8_t, 1> labels_;
  Dataset dataset_;
};

using Left = std::vector<std::pair<std::string, double>>;

/// Runs the jobs of an experiment with these keys; None: all that have no result yet. Returns the jobs that
/// are left, with their costs, and the result of the experiment if none is left.
std::pair<Left, std::optional<std::string>> run_part(const std::string& name, const nb::dict& columns,
                                                     const nb::dict& dict, Results& results,
                                                     const std::optional<std::vector<std::string>>& keys) {
  const Columns held(columns);
  std::set<std::string> only;
  if (keys) only.insert(keys->begin(), keys->end());
  JobHooks hooks;
  hooks.results = &results;
  if (keys) hooks.only = &only;
  return with_experiment(name, dict, [&](const auto& options, const auto& workflow) {
    const auto found = run_jobs_watched(hooks, nb::none(), [&](const JobHooks& watched) {
      return workflow(held.dataset(), options, watched);
    });
    std::pair<Left, std::optional<std::string>> out;
    for (const JobLeft& job : found.left) out.first.emplace_back(job.key, job.cost);
    if (!found.stopped) out.second = json_of(found);
    return out;
  });
}

void add_results(nb::module_& module) {
  nb::class_<Results>(module, "Results", "Results of jobs as JSON, in a file or in memory.")
      .def(nb::init<std::string, std::string>(), nb::arg("path"), nb::arg("of"))
      .def(
          "get",
          [](const Results& self, const std::string& key) -> std::optional<std::string> {
            const nlohmann::json* found = self.find(key);
            if (found == nullptr) return std::nullopt;
            return found->dump();
          },
          nb::arg("key"))
      .def(
          "add",
          [](Results& self, const std::string& key, const std::string& result) {
            nlohmann::json parsed = nlohmann::json::parse(result, nullptr, false);
            if (parsed.is_discarded()) refuse("the result of a job is not JSON");
            self.add(key, parsed);
          },
          nb::arg("key"), nb::arg("result"));
}

}  // namespace

void add_experiments(nb::module_& module) {
  add_results(module);
  module.def("experiment", &run_experiment, nb::arg("name"), nb::arg("data"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("load_columns", &load_columns, nb::arg("name"), nb::arg("data"), nb::arg("options"));
  module.def("run_part", &run_part, nb::arg("name"), nb::arg("columns"), nb::arg("options"),
             nb::arg("results"), nb::arg("keys").none());
}

}  // namespace askfew::python
