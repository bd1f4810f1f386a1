#pragma once

#include <askfew/workflows/compare.h>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <nanobind/nanobind.h>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "interrupts.h"
#include "rows.h"

namespace askfew::python {

/// The data of a workflow: paths, or a tuple (rows, labels, ends of the labels or None, names).
class Data {
 public:
  explicit Data(nb::handle given);

  void put_into(DataOptions& options) const {
    options.paths = paths_;
    options.memory = memory_;
  }
  /// The number of instances; 0: not known before they are read.
  [[nodiscard]] std::uint64_t size() const { return held_.rows ? held_.rows->size() : 0; }

 private:
  std::vector<std::string> paths_;
  HeldRows held_;
  std::shared_ptr<const MemoryData> memory_;
};

struct Done {
  std::atomic<std::uint64_t> now = 0;
  std::atomic<std::uint64_t> all = 0;  ///< 0: unknown
};

/// Sentences about data that is probably wrong, or was left out. Python gets them as warnings when the work
/// has ended.
class Doubts {
 public:
  /// The hooks must not be called after this object's end.
  void collect(Hooks& hooks) {
    hooks.doubt = [this](const std::string& sentence) { sentences_.push_back(sentence); };
  }
  /// Call it with the GIL.
  void warn() const {
    for (const std::string& sentence : sentences_) askfew::python::warn(sentence);
  }

 private:
  std::vector<std::string> sentences_;
};

/// Runs the work on another thread, so that this one can handle signals and show the progress.
template <class Work>
auto run_watched(const Done& done, Interrupts& interrupts, Work&& work) {
  const nb::gil_scoped_release released;
  auto result = std::async(std::launch::async, std::forward<Work>(work));
  const auto look = [&] { interrupts.look(true, done.now.load(), done.all.load()); };
  while (result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) look();
  look();
  return result.get();
}

/// Runs work that has no progress to show; `work` gets the flag that ends it.
template <class Work>
auto run_interruptible(Work&& work) {
  const Done done;
  Interrupts interrupts{nb::none()};
  auto result = run_watched(done, interrupts, [&] { return work(interrupts.stop()); });
  interrupts.rethrow();
  return result;
}

/// Runs a workflow with many jobs; `work` gets the hooks to follow it.
template <class Work>
auto run_jobs_watched(JobHooks hooks, const nb::object& progress, Work&& work) {
  Done done;
  Doubts doubts;
  Interrupts interrupts(progress);
  doubts.collect(hooks);
  hooks.stop = &interrupts.stop();
  hooks.progress = [&](const JobsDone& now) {
    done.all = now.of_jobs;
    done.now = now.jobs;
  };
  auto result = run_watched(done, interrupts, [&] { return work(std::as_const(hooks)); });
  interrupts.rethrow();
  doubts.warn();
  return result;
}

/// The same on data that is read first.
template <class OptionsStruct, class Work>
auto run_jobs_watched(OptionsStruct& options, nb::handle data, const nb::object& progress, Work&& work) {
  const Data source(data);
  source.put_into(options.data);
  return run_jobs_watched(JobHooks{}, progress, [&](const JobHooks& hooks) { return work(options, hooks); });
}

}  // namespace askfew::python
