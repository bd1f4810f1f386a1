#include "rows.h"

#include <askfew/core/errors.h>
#include <cstring>
#include <nanobind/stl/string_view.h>
#include <string_view>
#include <type_traits>

#include "errors.h"

namespace askfew::python {
namespace {

template <class Any>
bool take_array(nb::handle from, Any& to) {
  return nb::try_cast(from, to, false);
}

/// Takes compressed rows of these types, or returns false.
template <class Index, class Value>
bool take_sparse(const nb::tuple& parts, HeldRows& held) {
  Array<Index, 1> begins;
  Array<Index, 1> indices;
  Array<Value, 1> values;
  if (!take_array(nb::object(parts[0]), begins) || !take_array(nb::object(parts[1]), indices) ||
      !take_array(nb::object(parts[2]), values))
    return false;
  held.rows = std::make_shared<CsrRows<Index, Value>>(span_of(begins), span_of(indices), span_of(values),
                                                      nb::cast<std::size_t>(parts[3]));
  return true;
}

template <class Value>
bool take_dense(nb::handle x, HeldRows& held) {
  Array<Value, 2> matrix;
  if (!take_array(x, matrix)) return false;
  held.rows = std::make_shared<DenseRows<Value>>(matrix.data(), matrix.shape(0), matrix.shape(1));
  return true;
}

/// THROWS: DataError for a text that UTF-8 cannot have, such as half of a pair of surrogates.
std::string_view text_of(nb::handle x) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(x.ptr(), &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw DataError(
      {.why = "X: " + std::string(nb::repr(x).c_str()) + " is no valid text: it has a surrogate alone"});
}

/// A text, or a dictionary of named features as in a line of JSON.
WordRows::Row word_row(nb::handle x) {
  if (nb::isinstance<nb::str>(x)) return {.text = text_of(x)};
  WordRows::Row row;
  for (const auto& [key, value] : nb::cast<nb::dict>(x)) {
    WordRows::Named feature{.name = nb::str(key).c_str(), .value = 1};
    if (nb::isinstance<nb::str>(value)) {
      feature.name += '=';
      feature.name += text_of(value);
    } else {
      feature.value = value.is_none() ? 0 : nb::cast<double>(nb::float_(value));
    }
    row.named.push_back(std::move(feature));
  }
  return row;
}

}  // namespace

HeldRows rows_of(nb::handle x) {
  HeldRows held;
  held.owners.push_back(nb::borrow(x));
  if (nb::isinstance<nb::tuple>(x)) {
    const auto parts = nb::borrow<nb::tuple>(x);
    if (take_sparse<std::int32_t, double>(parts, held) || take_sparse<std::int32_t, float>(parts, held) ||
        take_sparse<std::int64_t, double>(parts, held) || take_sparse<std::int64_t, float>(parts, held)) {
      return held;
    }
    refuse("a sparse matrix has indices of int32 or int64 and values of float64 or float32");
  }
  if (nb::isinstance<nb::list>(x)) {
    std::vector<WordRows::Row> texts;
    for (const nb::handle text : nb::borrow<nb::list>(x)) texts.push_back(word_row(text));
    held.rows = std::make_shared<WordRows>(std::move(texts));
    return held;
  }
  if (!take_dense<double>(x, held) && !take_dense<float>(x, held)) {
    refuse("a dense matrix has two dimensions, rows without gaps, and values of float64 or float32");
  }
  return held;
}

void DenseInstance::release() {
  if (held_) PyBuffer_Release(&buffer_);
  held_ = false;
}

bool DenseInstance::take(nb::handle x) {
  release();
  if (PyObject_CheckBuffer(x.ptr()) == 0) return false;
  if (PyObject_GetBuffer(x.ptr(), &buffer_, PyBUF_ND | PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
    PyErr_Clear();
    return false;
  }
  held_ = true;
  if (buffer_.ndim != 1 || buffer_.format == nullptr || buffer_.format[1] != '\0') return false;
  const auto size = static_cast<std::size_t>(buffer_.shape[0]);
  const auto* bytes = static_cast<const char*>(buffer_.buf);
  const auto convert = [&]<class T>(T /*kind*/) {
    if (std::is_same_v<T, double> && buffer_.strides[0] == sizeof(double)) {
      values_ = {reinterpret_cast<const double*>(bytes), size};
      return;
    }
    converted_.resize(size);
    for (std::size_t k = 0; k < size; ++k) {
      T value;
      std::memcpy(&value, bytes + static_cast<Py_ssize_t>(k) * buffer_.strides[0], sizeof value);
      converted_[k] = static_cast<double>(value);
    }
    values_ = converted_;
  };
  switch (buffer_.format[0]) {
    case 'd':
      convert(double());
      return true;
    case 'f':
      convert(float());
      return true;
    default:
      return false;
  }
}

}  // namespace askfew::python
