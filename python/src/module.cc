// The extension module askfew._core. It turns Python's objects into the library's and back; everything else
// is in the library.

#include "module.h"

#include <askfew/core/version.h>
#include <nanobind/stl/string_view.h>

#include "errors.h"

NB_MODULE(_core, module) {
  using namespace askfew::python;
  module.attr("__version__") = nanobind::cast(askfew::version);
  add_errors();
  add_label_checks(module);
  add_sampler(module);
  add_session(module);
  add_workflows(module);
  add_experiments(module);
  add_research(module);
}
