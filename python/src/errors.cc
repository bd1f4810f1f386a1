#include "errors.h"

#include <askfew/core/errors.h>
#include <new>
#include <string>

namespace askfew::python {
namespace {

void raise(const char* name, const char* what) {
  if (PyErr_Occurred() != nullptr) return;  // what a callback raised ended the call
  const nanobind::object type = nanobind::module_::import_("askfew.errors").attr(name);
  PyErr_SetString(type.ptr(), what);
}

void translate(const std::exception_ptr& pointer, void* /*payload*/) {
  try {
    std::rethrow_exception(pointer);
  } catch (const ConfigError& error) {
    raise("ConfigError", error.what());
  } catch (const DataError& error) {
    raise("DataError", error.what());
  } catch (const NumericError& error) {
    raise("NumericError", error.what());
  } catch (const MemoryError& error) {
    raise("MemoryLimitError", error.what());
  } catch (const FileError& error) {
    raise("FileError", error.what());
  } catch (const ModelError& error) {
    raise("ModelError", error.what());
  } catch (const Error& error) {
    raise("AskfewError", error.what());
  }
}

}  // namespace

void add_errors() {
  nanobind::register_exception_translator(translate);
}

void refuse(const std::string& why) {
  throw ConfigError(why);
}

void warn(const std::string& sentence) {
  const nanobind::object type = nanobind::module_::import_("askfew.errors").attr("DataWarning");
  if (PyErr_WarnEx(type.ptr(), sentence.c_str(), 1) != 0) throw nanobind::python_error();
}

}  // namespace askfew::python
