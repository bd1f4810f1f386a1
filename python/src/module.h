#pragma once

#include <nanobind/nanobind.h>

namespace askfew::python {

void add_label_checks(nanobind::module_& module);
void add_sampler(nanobind::module_& module);
void add_session(nanobind::module_& module);
void add_workflows(nanobind::module_& module);
void add_experiments(nanobind::module_& module);
void add_research(nanobind::module_& module);

}  // namespace askfew::python
