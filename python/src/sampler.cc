// askfew._core.Sampler and Query.

#include <askfew/models/model_file.h>
#include <askfew/models/topic_shards.h>
#include <askfew/system/atomic_file.h>
#include <askfew/workflows/labels.h>
#include <mutex>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <shared_mutex>

#include "errors.h"
#include "interrupts.h"
#include "module.h"
#include "options.h"
#include "rows.h"
#include "sampler_object.h"

namespace askfew::python {
namespace {

using Exclusive = std::unique_lock<std::shared_mutex>;
using Shared = std::shared_lock<std::shared_mutex>;

/// Waits without the GIL: the owner of the lock may need it.
template <class Lock>
Lock lock(const SamplerObject& object) {
  Lock held(object.mutex(), std::try_to_lock);
  if (!held.owns_lock()) {
    const nb::gil_scoped_release released;
    held.lock();
  }
  return held;
}

/// A query, and the names of its labels: a list, or None for -1 and +1.
struct PyQuery {
  QueryObject query;
  nb::object names;

  [[nodiscard]] nb::object name_of(LabelNumber label) const {
    if (names.is_none()) return nb::int_(label == 1 ? 1 : -1);
    return names[label];
  }
};

struct PySampler {
  SamplerObject object;
  nb::object names = nb::none();    ///< the classes, or None
  nb::object numbers = nb::none();  ///< a dictionary from labels to numbers; None: -1, 0 and +1
  std::vector<QueryObject> queries{};

  PySampler(const nb::dict& given, const std::string& kind, const std::vector<std::string>& labels,
            std::uint64_t first, nb::object all, nb::object by_label, bool lazy, std::uint64_t max_memory)
      : object(options_of(given), plan_of(kind, labels, first), lazy, max_memory),
        names(std::move(all)),
        numbers(std::move(by_label)) {}

  static ModelOptions options_of(const nb::dict& dict) {
    Options given(dict);
    ModelOptions options;
    take(given, options.sampler);
    given.take("seed", options.seed);
    take(given, options.reading);
    given.finish();
    return options;
  }

  static LabelPlan plan_of(const std::string& kind, const std::vector<std::string>& labels,
                           std::uint64_t first) {
    using Kind = LabelPlan::Kind;
    if (kind == "positive") return {Kind::any_of, labels};
    if (kind == "classes") return {Kind::one_of, labels};
    if (kind == "topics") return {.kind = Kind::one_per_label, .names = labels, .first = first};
    return {};
  }

  [[nodiscard]] nb::object queries_object() const {
    if (object.labels().kind != LabelPlan::Kind::one_per_label) return nb::cast(PyQuery{queries[0], names});
    nb::list all;
    for (const QueryObject& query : queries) all.append(PyQuery{query, nb::none()});
    return nb::tuple(all);
  }

  [[nodiscard]] LabelNumber number_of(nb::handle label) const {
    if (!numbers.is_none()) {
      const nb::object number = numbers.attr("get")(label);
      if (!number.is_none()) return nb::cast<LabelNumber>(number);
      if (object.labels().kind == LabelPlan::Kind::any_of) {
        nb::module_::import_("askfew._arrays").attr("expect_label")(label);
        return 0;
      }
      refuse(std::string("the label ") + nb::repr(label).c_str() + " is not one of the classes");
    }
    const double value = PyFloat_AsDouble(label.ptr());
    const bool is_number = PyErr_Occurred() == nullptr;  // else the value is -1
    if (!is_number) PyErr_Clear();
    if (!is_number || (value != 1 && value != -1 && value != 0)) {
      refuse(std::string("label ") + nb::repr(label).c_str() +
             " is not -1, 0 or +1; see `positive`, `classes` and `topics` for others");
    }
    return value == 1 ? 1 : 0;
  }
};

/// What Python knows to be an instance in another form: a matrix of one row, or a list of one text.
HeldRows one_row(nb::handle x) {
  HeldRows held = rows_of(nb::module_::import_("askfew._arrays").attr("instance")(x));
  if (held.rows->size() != 1) refuse("expected one instance");
  return held;
}

/// Calls act(span of numbers) or act(rows with one row).
template <class Act>
auto with_instance(nb::handle x, Act&& act) {
  DenseInstance dense;
  if (dense.take(x)) return act(dense.values());
  const HeldRows held = one_row(x);
  return act(*held.rows);
}

nb::object ask(PySampler& self, nb::handle x, const std::optional<std::int64_t>& time) {
  const auto held = lock<Exclusive>(self.object);
  if (time) self.object.advance_to(*time);
  with_instance(x, [&](auto&& instance) { self.object.ask(instance, self.queries); });
  return self.queries_object();
}

nb::object peek(PySampler& self, nb::handle x) {
  const auto held = lock<Exclusive>(self.object);
  with_instance(x, [&](auto&& instance) { self.object.peek(instance, self.queries); });
  return self.queries_object();
}

bool tell(PySampler& self, nb::handle x, nb::handle y, const PyQuery& query) {
  const auto held = lock<Exclusive>(self.object);
  const LabelNumber label = self.number_of(y);
  return with_instance(x, [&](auto&& instance) { return self.object.tell(instance, label, query.query); });
}

nb::dict explain(PySampler& self, nb::handle x, const PyQuery& query) {
  const auto held = lock<Exclusive>(self.object);
  const Explanation why =
      with_instance(x, [&](auto&& instance) { return self.object.explain(instance, query.query); });
  nb::list heaviest;
  for (const FeatureShare& feature : why.heaviest.list())
    heaviest.append(nb::make_tuple(feature.index, feature.share));
  nb::dict out;
  out["started"] = why.started;
  out["scale"] = why.scale;
  out["threshold"] = why.threshold;
  out["held_back"] = why.held_back;
  out["heaviest"] = heaviest;
  return out;
}

using Trace = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Answers = nb::ndarray<std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::uint64_t run(PySampler& self, nb::handle x, const Array<std::int8_t, 2>& y,
                  const std::optional<Array<std::int64_t, 1>>& times, bool more,
                  const std::optional<Trace>& trace, const std::optional<Answers>& answers, unsigned threads,
                  const nb::object& progress) {
  const auto held = lock<Exclusive>(self.object);
  const HeldRows rows = rows_of(x);
  const std::size_t rounds = rows.rows->size() * self.object.rounds_an_instance();
  if (y.shape(0) != rows.rows->size() || y.shape(1) != self.object.tasks()) {
    refuse("X has " + std::to_string(rows.rows->size()) + " rows, y has " + std::to_string(y.shape(0)) +
           " labels");
  }
  // Label is an int8 that is -1 or +1; askfew._arrays has made it so.
  const std::span labels(reinterpret_cast<const Label*>(y.data()), y.size());
  std::span<TraceRow> cells;
  if (trace) {
    if (trace->size() != rounds * sizeof(TraceRow)) refuse("the trace has another size than the rounds");
    cells = {reinterpret_cast<TraceRow*>(trace->data()), rounds};
  }
  if (answers && answers->size() != rounds) refuse("the answers have another size than the rounds");
  const std::span<const std::int64_t> clock = times ? span_of(*times) : std::span<const std::int64_t>();
  Interrupts interrupts(progress);
  std::uint64_t done = 0;
  {
    const nb::gil_scoped_release released;
    const std::span<std::uint8_t> short_cells =
        answers ? std::span(answers->data(), rounds) : std::span<std::uint8_t>();
    done = self.object.run(*rows.rows, labels, clock, more, {cells, short_cells}, threads, interrupts.stop(),
                           [&](std::uint64_t now) { interrupts.look(false, now); });
  }
  interrupts.rethrow();
  return done;
}

using Margins = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void margins(const PySampler& self, nb::handle x, const Margins& out) {
  const HeldRows rows = rows_of(x);
  if (out.shape(0) != rows.rows->size() || out.shape(1) != self.object.tasks())
    refuse("margins of another shape");
  const nb::gil_scoped_release released;
  const Shared held(self.object.mutex());
  self.object.margins(*rows.rows, {out.data(), out.size()});
}

nb::dict config_of(const PySampler& self) {
  const auto held = lock<Shared>(self.object);
  const SamplerConfig config = self.object.config();
  nb::dict out;
  out["learner"] = text_of(config.learner);
  out["rule"] = text_of(config.rule);
  out["update"] = std::string(text_of(config.update));
  return out;
}

nb::dict tally_of(const PySampler& self, std::size_t task) {
  const auto held = lock<Shared>(self.object);
  const Tally tally = self.object.tally(task);
  nb::dict out;
  out["rounds"] = tally.round;
  out["asked"] = tally.asked;
  out["audited"] = tally.audited;
  out["updates"] = tally.updates;
  out["expected_asked"] = tally.expected_asked;
  return out;
}

nb::dict state_of(const PyQuery& self) {
  const Query& query = self.query.round.query;
  nb::dict out;
  for (const auto& [name, value] : {std::pair<const char*, nb::object>{"round", nb::int_(query.round)},
                                    {"task", nb::int_(self.query.task)},
                                    {"prediction", self.name_of(self.query.round.prediction)},
                                    {"margin", nb::float_(query.score.margin)},
                                    {"probability", nb::float_(query.chance())},
                                    {"asked", nb::bool_(query.asked)}}) {
    out[name] = value;
  }
  return out;
}

void add_query(nb::module_& module) {
  nb::class_<PyQuery>(module, "Query", "The decision about an instance: the first half of a round.")
      .def_prop_ro(
          "round", [](const PyQuery& q) { return q.query.round.query.round; }, "The round, from 1.")
      .def_prop_ro(
          "task", [](const PyQuery& q) { return q.query.task; }, "The number of the task.")
      .def_prop_ro(
          "prediction", [](const PyQuery& q) { return q.name_of(q.query.round.prediction); },
          "The predicted label.")
      .def_prop_ro(
          "margin", [](const PyQuery& q) { return q.query.round.query.score.margin; },
          "The learner's signed margin; with classes, the largest minus the second largest.")
      .def_prop_ro(
          "norm", [](const PyQuery& q) { return q.query.round.query.score.norm; },
          "The norm of the instance.")
      .def_prop_ro(
          "spread", [](const PyQuery& q) { return q.query.round.query.score.spread; },
          "x'Qx of a second-order learner, else 0.")
      .def_prop_ro(
          "rule_probability", [](const PyQuery& q) { return q.query.round.query.probability; },
          "The probability that the rule asks.")
      .def_prop_ro(
          "probability", [](const PyQuery& q) { return q.query.round.query.chance(); },
          "The probability that the label is asked, by the rule or by the audit.")
      .def_prop_ro(
          "coin", [](const PyQuery& q) { return q.query.round.query.coin; },
          "Uniform in [0, 1); the rule asks if it is below its probability.")
      .def_prop_ro(
          "audited", [](const PyQuery& q) { return q.query.round.query.audited; }, "The audit asks.")
      .def_prop_ro(
          "asked", [](const PyQuery& q) { return q.query.round.query.asked; },
          "The label is worth its price: get it and tell it.")
      .def("__bool__", [](const PyQuery& q) { return q.query.round.query.asked; })
      .def("as_dict", &state_of, "The decision as a dictionary.")
      .def("__repr__", [](const PyQuery& q) { return nb::str("Query({})").format(state_of(q)); });
}

void add_shards(nb::module_& module) {
  module.def(
      "joined_labels", [](const std::vector<std::string>& names) { return joined_labels(names); },
      nb::arg("names"));
  module.def(
      "shard_range",
      [](const std::string& shard, std::size_t topics) {
        const TopicRange range = topics_of(parse_shard(shard), topics);
        return std::pair(range.begin, range.end);
      },
      nb::arg("shard"), nb::arg("topics"));
  module.def(
      "merge_shards",
      [](const std::vector<nb::bytes>& models, const std::optional<std::uint64_t>& opened) {
        std::vector<Snapshot> shards;
        for (const nb::bytes& model : models) shards.push_back(decode_model({model.c_str(), model.size()}));
        const std::string bytes = encode_model(merge_shards(shards, opened));
        return nb::bytes(bytes.data(), bytes.size());
      },
      nb::arg("models"), nb::arg("opened").none());
}

}  // namespace

void add_sampler(nb::module_& module) {
  add_query(module);
  add_shards(module);
  module.attr("TRACE_ROW_BYTES") = sizeof(TraceRow);
  nb::class_<PySampler>(module, "Sampler", "The engine behind askfew.Sampler.")
      .def(nb::init<const nb::dict&, const std::string&, const std::vector<std::string>&, std::uint64_t,
                    nb::object, nb::object, bool, std::uint64_t>(),
           nb::arg("options"), nb::arg("kind"), nb::arg("labels"), nb::arg("first"), nb::arg("names").none(),
           nb::arg("numbers").none(), nb::arg("lazy"), nb::arg("max_memory"))
      .def("ask", &ask, nb::arg("x"), nb::arg("time").none() = nb::none(),
           "Predicts the label of an instance, and decides whether to ask for it.")
      .def("peek", &peek, nb::arg("x"), "What `ask` would return now; nothing changes.")
      .def("tell", &tell, nb::arg("x"), nb::arg("y").none(), nb::arg("query"),
           "Learns the label of an asked query, now or later. Returns whether the learner changed.")
      .def("_explain", &explain, nb::arg("x"), nb::arg("query"))
      .def("_run", &run, nb::arg("x"), nb::arg("y").noconvert(), nb::arg("times").none().noconvert(),
           nb::arg("more"), nb::arg("trace").none().noconvert(), nb::arg("answers").none().noconvert(),
           nb::arg("threads"), nb::arg("progress").none())
      .def("_margins", &margins, nb::arg("x"), nb::arg("out").noconvert())
      .def("_tally", &tally_of, nb::arg("task"))
      .def("_config", &config_of)
      .def("_report",
           [](const PySampler& self) {
             const auto held = lock<Shared>(self.object);
             return self.object.report();
           })
      .def(
          "_weights",
          [](const PySampler& self, std::size_t task) -> std::optional<std::vector<double>> {
            const auto held = lock<Shared>(self.object);
            if (auto form = self.object.linear_form(task)) return std::move(form->weights);
            return std::nullopt;
          },
          nb::arg("task"))
      .def_prop_ro(
          "is_made", [](const PySampler& self) { return self.object.is_made(); },
          "Has the sampler seen an instance? Then it has a model.")
      .def_prop_ro(
          "dimension", [](const PySampler& self) { return self.object.dimension(); },
          "The number of features; 0: not known yet, or not fixed.")
      .def_prop_ro("_label_kind",
                   [](const PySampler& self) {
                     switch (self.object.labels().kind) {
                       case LabelPlan::Kind::any_of:
                         return "positive";
                       case LabelPlan::Kind::one_of:
                         return "classes";
                       case LabelPlan::Kind::one_per_label:
                         return "topics";
                       default:
                         return "plain";
                     }
                   })
      .def_prop_ro("_label_names", [](const PySampler& self) { return self.object.labels().names; })
      .def(
          "_set_names",
          [](PySampler& self, nb::object names, nb::object numbers) {
            self.names = std::move(names);
            self.numbers = std::move(numbers);
          },
          nb::arg("names").none(), nb::arg("numbers").none())
      .def(
          "to_bytes",
          [](const PySampler& self) {
            const auto held = lock<Shared>(self.object);
            const std::string bytes = self.object.bytes();
            return nb::bytes(bytes.data(), bytes.size());
          },
          "The model file as bytes: the same as `askfew run --model` writes.")
      .def(
          "_save",
          [](const PySampler& self, const std::string& path) {
            AtomicFile file(path);
            const auto held = lock<Shared>(self.object);
            file.stream() << self.object.bytes();
            file.commit();
          },
          nb::arg("path"))
      .def(
          "_set_bytes",
          [](PySampler& self, const nb::bytes& bytes) {
            const auto held = lock<Exclusive>(self.object);
            self.object.set_bytes({bytes.c_str(), bytes.size()});
          },
          nb::arg("bytes"));
}

}  // namespace askfew::python
