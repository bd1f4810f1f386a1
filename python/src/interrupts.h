#pragma once

#include <atomic>
#include <chrono>
#include <nanobind/nanobind.h>

namespace askfew::python {

/// Lets Python handle signals, and shows progress, while a long call runs without the GIL. If Python raises,
/// the call is asked to stop, and `rethrow` raises it afterwards.
class Interrupts {
 public:
  explicit Interrupts(nanobind::object progress) : progress_(std::move(progress)) {}

  [[nodiscard]] const std::atomic<bool>& stop() const { return stop_; }

  /// Call it without the GIL, as often as you like. `now`: do not wait for the usual time.
  template <class... Done>
  void look(bool now, Done... done) {
    const auto time = std::chrono::steady_clock::now();
    if (stop_ || (!now && time - last_ < std::chrono::milliseconds(50))) return;
    last_ = time;
    const nanobind::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() == 0 && progress_.is_none()) return;
    try {
      if (PyErr_Occurred() != nullptr) throw nanobind::python_error();
      progress_(done...);
    } catch (nanobind::python_error& error) {
      error.restore();
      failed_ = true;
      stop_ = true;
    }
  }

  /// Call it with the GIL.
  void rethrow() const {
    if (failed_) throw nanobind::python_error();
  }

 private:
  nanobind::object progress_;
  std::atomic<bool> stop_ = false;
  bool failed_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace askfew::python
