// Plain functions for researchers: bounds, confidence sequences, synthetic streams, coins, the catalog.

#include <askfew/catalog/catalog.h>
#include <askfew/core/coin.h>
#include <askfew/estimates/count_sequence.h>
#include <askfew/models/model_file.h>
#include <askfew/streams/formats/synthetic/synthetic.h>
#include <askfew/streams/open.h>
#include <askfew/theory/bounds.h>
#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "module.h"
#include "rows.h"

namespace askfew::python {
namespace {

template <class T>
nb::object owned(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

/// The coins 1 to n of a run.
nb::object coins(std::size_t n, std::uint64_t seed, std::uint64_t task, const std::string& purpose) {
  const CoinPurpose what = purpose == "ask"     ? CoinPurpose::ask
                           : purpose == "audit" ? CoinPurpose::audit
                                                : throw ConfigError("`purpose` is ask or audit");
  Coin coin({.seed = seed, .task = task}, what);
  std::vector<double> tossed(n);
  for (std::size_t k = 0; k < n; ++k) tossed[k] = coin(k + 1);
  return owned(std::move(tossed));
}

/// All examples of a stream: (begins, indices, values, columns, labels, ends of the labels, is dense).
nb::tuple read_stream(const std::string& path, const std::string& format) {
  std::vector<std::int64_t> begins{0};
  std::vector<std::int32_t> indices;
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> ends;
  FeatureView::Index columns = 0;
  bool dense = true;
  {
    const nb::gil_scoped_release released;
    const auto stream = open_stream(path, {.format = format});
    Examples block;
    tl::expected<bool, ParseError> more = stream->next(block);
    for (; more && *more; more = stream->next(block)) {
      for (std::size_t row = 0; row < block.size(); ++row) {
        const FeatureView x = block.x(row);
        dense = dense && x.is_dense();
        columns = std::max(columns, x.extent());
        x.for_each([&](FeatureView::Index index, double value) {
          indices.push_back(static_cast<std::int32_t>(index));
          values.push_back(value);
        });
        begins.push_back(static_cast<std::int64_t>(values.size()));
        for (const Examples::LabelId label : block.labels(row)) labels.push_back(label);
        ends.push_back(static_cast<std::int64_t>(labels.size()));
      }
    }
    if (!more) throw DataError(more.error());
  }
  return nb::make_tuple(owned(std::move(begins)), owned(std::move(indices)), owned(std::move(values)),
                        columns, owned(std::move(labels)), owned(std::move(ends)), dense);
}

template <class Entry>
nb::dict described(const Entry& entry) {
  nb::dict params;
  for (const ParamEntry& param : entry.params) params[param.name.c_str()] = param.standard;
  nb::dict out;
  out["name"] = std::string(entry.info.name);
  out["params"] = params;
  return out;
}

nb::dict catalog() {
  nb::list presets;
  for (const PresetEntry& entry : preset_entries()) {
    nb::dict one;
    one["name"] = entry.name;
    one["learner"] = text_of(entry.config.learner);
    one["rule"] = text_of(entry.config.rule);
    one["update"] = std::string(text_of(entry.config.update));
    one["paper"] = entry.paper;
    one["unit_norm"] = learner_info(entry.config.learner).unit_norm;
    presets.append(one);
  }
  nb::list learners;
  for (const LearnerEntry& entry : learner_entries()) learners.append(described(entry));
  nb::list rules;
  for (const RuleEntry& entry : rule_entries()) rules.append(described(entry));
  nb::list streams;
  for (const SyntheticEntry& entry : synthetic_entries()) streams.append(described(entry));
  nb::dict out;
  out["presets"] = presets;
  out["learners"] = learners;
  out["rules"] = rules;
  out["synthetic"] = streams;
  return out;
}

/// A rule, its coins and its budget on the margins of any classifier.
class PyDecider {
 public:
  PyDecider(const std::string& rule, const std::string& budget, std::uint64_t horizon, std::uint64_t seed) {
    config_.learner = parse_learner("perceptron");
    config_.rule = parse_rule(rule);
    if (!budget.empty()) config_.spending.budget = parse_budget(budget);
    config_.spending.budget.horizon = horizon;
    check(config_.spending);
    setting_.key.seed = seed;
    decisions_ = make_decisions(config_, setting_, Exactness::exact);
  }
  using State = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t, nb::bytes>;
  [[nodiscard]] State state() const {
    Snapshot snapshot;
    decisions_->save(snapshot, "");
    const std::string bytes = encode_model(snapshot);
    const LabelBudget& budget = config_.spending.budget;
    return {text_of(config_.rule), budget.is_set() ? text_of(budget) : "", budget.horizon, setting_.key.seed,
            nb::bytes(bytes.data(), bytes.size())};
  }
  explicit PyDecider(const State& state)
      : PyDecider(std::get<0>(state), std::get<1>(state), std::get<2>(state), std::get<3>(state)) {
    const nb::bytes& bytes = std::get<4>(state);
    decisions_->load(decode_model({bytes.c_str(), bytes.size()}), "");
  }
  [[nodiscard]] std::unique_ptr<PyDecider> copy() const { return std::make_unique<PyDecider>(state()); }

  /// The probability of asking and the decision.
  std::pair<double, bool> decide(double margin) {
    const Query query = decisions_->decide({.margin = margin, .norm = 1}, true);
    return {query.probability, query.asked};
  }
  void follow(double margin, bool asked) { decisions_->follow({.margin = margin, .norm = 1}, asked); }
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> tally() const {
    return {decisions_->tally().round, decisions_->tally().asked};
  }

 private:
  SamplerConfig config_;
  Setting setting_;
  std::unique_ptr<AnyDecisions> decisions_;
};

void add_bounds(nb::module_& module) {
  nb::class_<Comparator>(
      module, "Comparator",
      "A linear classifier u that a bound compares with: |u|, the margin gamma at which its hinge "
      "loss is measured, that loss, and the largest |x|.")
      .def(
          "__init__",
          [](Comparator* self, double norm, double gamma, double loss, double longest) {
            new (self) Comparator{.norm = norm, .gamma = gamma, .loss = loss, .longest = longest};
          },
          nb::arg("norm"), nb::arg("gamma") = 1.0, nb::arg("loss") = 0.0, nb::arg("longest") = 1.0)
      .def_rw("norm", &Comparator::norm)
      .def_rw("gamma", &Comparator::gamma)
      .def_rw("loss", &Comparator::loss)
      .def_rw("longest", &Comparator::longest);
  module.def(
      "selective_perceptron_bound", &selective_perceptron_bound, nb::arg("u"), nb::arg("b"),
      "Cesa-Bianchi, Gentile, Zaniboni 2006, Theorem 1: expected mistakes of the Perceptron with margin(b).");
  module.def("adaptive_perceptron_bound", &adaptive_perceptron_bound, nb::arg("u"), nb::arg("beta"),
             "2006, Theorem 2: expected mistakes of the Perceptron with rule adaptive(beta).");
  module.def("selective_winnow_bound", &selective_winnow_bound, nb::arg("u"), nb::arg("alpha"),
             nb::arg("dimension"),
             "2006, Theorem 4: expected mistakes of Winnow; `longest` is the largest |x_i|.");
  module.def("perceptron_bound", &perceptron_bound, nb::arg("u"),
             "Mistakes of the Perceptron, |x| = 1, gamma = 1.");
  module.def("hildreth_bound", &hildreth_bound, nb::arg("u"),
             "Mistakes of Hildreth's algorithm on a stream that u separates with margin 1.");
  module.def("pa_one_bound", &pa_one_bound, nb::arg("u"), nb::arg("c"),
             "Mistakes of PA-I, |x| = 1, gamma = 1.");
  module.def("ellipsoid_bound", &ellipsoid_bound, nb::arg("u"), nb::arg("dimension"),
             "Mistakes of the ellipsoid learner on a stream that u separates with margin gamma.");
  module.def("volumetric_center_bound", &volumetric_center_bound, nb::arg("u"), nb::arg("dimension"),
             "The same for the volumetric centre.");
  module.def("gravity_center_bound", &gravity_center_bound, nb::arg("u"), nb::arg("dimension"),
             nb::arg("error"), "The same for the centre of gravity, computed with this error.");
  module.def("rls_regret_bound", &rls_regret_bound, nb::arg("c"), nb::arg("alpha"),
             nb::arg("log_determinant"), nb::arg("n"),
             "Cavallanti, Cesa-Bianchi, Gentile 2008, Theorem 1: expected regret of rls.");
}

}  // namespace

void add_research(nb::module_& module) {
  add_bounds(module);
  nb::class_<CountSequence>(module, "CountSequence", "The engine behind askfew.estimate.ConfidenceSequence.")
      .def(
          "__init__",
          [](CountSequence* self, double floor) {
            if (!(floor > 0 && floor <= 1)) refuse("`floor` is not in (0, 1]");
            new (self) CountSequence(std::make_shared<const CountGrid>(floor));
          },
          nb::arg("floor"))
      .def("label", &CountSequence::label, nb::arg("counts"), nb::arg("chance"), nb::arg("forecast") = 0.0)
      .def("retract", &CountSequence::retract, nb::arg("counts"), nb::arg("chance"),
           nb::arg("forecast") = 0.0)
      .def("mark_missing", &CountSequence::mark_missing, nb::arg("chance"), nb::arg("forecast") = 0.0)
      .def("mark_arrived", &CountSequence::mark_arrived, nb::arg("chance"), nb::arg("forecast") = 0.0)
      .def(
          "bounds",
          [](const CountSequence& self, double alpha, std::uint64_t rounds, std::uint64_t uncovered) {
            const Interval interval = self.bounds(alpha, rounds, uncovered);
            return std::pair(interval.low, interval.high);
          },
          nb::arg("alpha"), nb::arg("rounds"), nb::arg("uncovered"))
      .def("value", &CountSequence::value, nb::arg("rounds"));
  nb::class_<PyDecider>(module, "Decider",
                        "A rule, its coins and its budget on the margins of any classifier.")
      .def(nb::init<const std::string&, const std::string&, std::uint64_t, std::uint64_t>(), nb::arg("rule"),
           nb::arg("budget"), nb::arg("horizon"), nb::arg("seed"))
      .def("copy", &PyDecider::copy)
      .def("__getstate__", &PyDecider::state)
      .def("__setstate__",
           [](PyDecider& self, const PyDecider::State& state) { new (&self) PyDecider(state); })
      .def("decide", &PyDecider::decide, nb::arg("margin"))
      .def("follow", &PyDecider::follow, nb::arg("margin"), nb::arg("asked"))
      .def("tally", &PyDecider::tally);
  module.def("coins", &coins, nb::arg("n"), nb::arg("seed"), nb::arg("task"), nb::arg("purpose"));
  module.def("read_stream", &read_stream, nb::arg("path"), nb::arg("format"));
  module.def("catalog", &catalog);
}

}  // namespace askfew::python
