#pragma once

#include <askfew/streams/memory/memory_rows.h>
#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <span>
#include <vector>

namespace askfew::python {

namespace nb = nanobind;

template <class T, std::size_t dimensions>
using Array = nb::ndarray<const T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Array<T, 1>& array) {
  return {array.data(), array.size()};
}

/// Instances that Python owns, and what keeps them alive. Destroy it with the GIL held.
struct HeldRows {
  std::shared_ptr<MemoryRows> rows;
  std::vector<nb::object> owners;
};

/// From what `askfew._arrays.rows` makes: a matrix; a tuple (begins, indices, values, columns) of compressed
/// rows; a list of texts. Nothing is copied.
HeldRows rows_of(nb::handle x);

/// The numbers of one dense instance, in place if they are float64 without gaps; else converted into
/// `scratch`. False: it is no such instance.
class DenseInstance {
 public:
  DenseInstance() = default;
  DenseInstance(const DenseInstance&) = delete;
  DenseInstance& operator=(const DenseInstance&) = delete;
  DenseInstance(DenseInstance&&) = delete;
  DenseInstance& operator=(DenseInstance&&) = delete;
  ~DenseInstance() { release(); }

  bool take(nb::handle x);
  [[nodiscard]] std::span<const double> values() const { return values_; }

 private:
  void release();

  Py_buffer buffer_{};
  bool held_ = false;
  std::vector<double> converted_;
  std::span<const double> values_;
};

}  // namespace askfew::python
