#include <askfew/models/label_plan.h>
#include <askfew/workflows/seen_labels.h>
#include <askfew/workflows/sorted_labels.h>
#include <fmt/core.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "module.h"
#include "rows.h"

namespace nb = nanobind;

namespace askfew::python {
namespace {

/// Labels that Python has counted, compared with the positive labels of a sampler. Doubts become warnings.
void check_positive(const std::vector<std::string>& positive,
                    const std::vector<std::pair<std::string, std::uint64_t>>& counts,
                    const std::vector<std::string>& missing) {
  std::vector<LabelCount> seen;
  for (const auto& [name, examples] : counts) seen.push_back({name, examples});
  for (const std::string& doubt :
       check_labels({.kind = LabelPlan::Kind::any_of, .names = positive}, seen, missing, "y")) {
    warn(doubt);
  }
}

/// Warns of labels that are sorted.
void check_order(const Array<Examples::LabelId, 1>& labels) {
  SortedLabels order;
  for (const Examples::LabelId label : span_of(labels)) order.look_at(label);
  if (order.are_sorted()) {
    warn(fmt::format(
        "y: the rows are sorted by their labels: {}; if it is not the order of time, mix the rows",
        SortedLabels::consequence));
  }
}

}  // namespace

void add_label_checks(nb::module_& module) {
  module.def("check_positive", &check_positive, nb::arg("positive"), nb::arg("counts"), nb::arg("missing"));
  module.def("check_order", &check_order, nb::arg("labels"));
}

}  // namespace askfew::python
