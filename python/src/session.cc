// askfew._core.Session, replay and what_if.

#include <askfew/models/model_file.h>
#include <askfew/sessions/answers.h>
#include <askfew/sessions/even_clock.h>
#include <askfew/sessions/recorder.h>
#include <askfew/workflows/replay.h>
#include <askfew/workflows/session.h>
#include <askfew/workflows/whatif.h>
#include <mutex>
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>

#include "errors.h"
#include "module.h"
#include "options.h"
#include "watched.h"

namespace askfew::python {
namespace {

nb::bytes model_bytes(const Model& model) {
  const std::string bytes = encode_model(snapshot_of(model));
  return nb::bytes(bytes.data(), bytes.size());
}

std::string report_of(const Session& session) {
  std::string report;
  append_report(session, report);
  return report;
}

/// A session with its ledger, which answers lines of JSON. Threads take turns.
class PySession {
 public:
  PySession(const nb::dict& dict, bool sync) {
    Options given(dict);
    SessionOptions options;
    take(given, options.model);
    given.take("are_topics", options.topics);
    given.take("ask", options.model.ask);
    given.take("expire", options.expire);
    given.take("keep", options.keep);
    std::string ledger;
    given.take("ledger", ledger);
    options.ledger = ledger;
    given.take("max_memory", options.max_memory);
    bool continues = false;
    given.take("continues", continues);
    given.finish();
    if (continues) options.mismatch = SettingsMismatch::is_ignored;
    if (sync && options.ledger.empty()) refuse("`sync` is for a `ledger`");
    std::vector<std::string> doubts;
    options.doubt = [&](const std::string& sentence) { doubts.push_back(sentence); };
    {
      const nb::gil_scoped_release released;
      live_ = open_session(options);
      live_.set_clock(clock_.now());
      recorder_.emplace(live_, sync);
    }
    for (const std::string& doubt : doubts) warn(doubt);
  }

  /// The answers to a line, a line each. `time`: in microseconds since 1970; nothing: now.
  std::string answer(const std::string& line, const std::optional<std::int64_t>& time) {
    const nb::gil_scoped_release released;
    const std::lock_guard held(mutex_);
    expect_open();
    const std::int64_t now = time.value_or(clock_.now());
    if (now < last_) refuse("a time before that of the last line");
    last_ = now;
    std::string padded = line;
    padded.resize(line.size() + IncomingReader::padding, ' ');
    const std::string_view only = std::string_view(padded).substr(0, line.size());
    std::string answers;
    recorder_->answer({&only, 1}, now, answers);
    return answers;
  }
  [[nodiscard]] std::vector<std::string> pending() {
    const std::lock_guard held(mutex_);
    expect_open();
    return live_.session->waiting_ids();
  }
  [[nodiscard]] std::string report() {
    const std::lock_guard held(mutex_);
    expect_open();
    return report_of(*live_.session);
  }
  [[nodiscard]] nb::bytes model() {
    const std::lock_guard held(mutex_);
    expect_open();
    return model_bytes(live_.session->model());
  }
  [[nodiscard]] std::uint64_t replayed() const { return live_.replayed; }
  [[nodiscard]] std::uint64_t torn() const { return live_.torn; }

  /// Returns whether the ledger has all outcomes.
  bool close() {
    const nb::gil_scoped_release released;
    const std::lock_guard held(mutex_);
    const bool finished = !recorder_ || recorder_->end();
    recorder_.reset();
    live_.checkpoints.reset();
    live_.ledger.reset();
    live_.session.reset();
    return finished;
  }

 private:
  void expect_open() const {
    if (!recorder_) refuse("the session is closed");
  }

  std::mutex mutex_;
  SessionLedger live_;
  EvenClock clock_;
  std::int64_t last_ = 0;
  std::optional<Recorder> recorder_;
};

nb::dict replay_ledger(const std::string& ledger, std::uint64_t max_memory) {
  const ReplayResult result = run_interruptible([&](const std::atomic<bool>& stop) {
    ReplayHooks hooks;
    hooks.stop = &stop;
    return replay(ReplayOptions{.ledger = ledger, .max_memory = max_memory}, hooks);
  });
  nb::dict out;
  out["report"] = report_of(*result.session);
  out["model"] = model_bytes(result.session->model());
  out["lines"] = result.lines;
  out["torn_bytes"] = result.torn_bytes;
  out["set_aside"] = result.set_aside;
  out["unrecorded"] = result.unrecorded;
  return out;
}

std::string what_if_json(const std::string& ledger, const nb::dict& dict, std::uint64_t max_memory) {
  Options given(dict);
  WhatIfOptions options{.ledger = ledger, .max_memory = max_memory};
  take(given, options.sampler);
  given.finish();
  return json_of(run_interruptible([&](const std::atomic<bool>& stop) {
    Hooks hooks;
    hooks.stop = &stop;
    return what_if(options, hooks);
  }));
}

}  // namespace

void add_session(nb::module_& module) {
  nb::class_<PySession>(module, "Session", "The engine behind askfew.Session.")
      .def(nb::init<const nb::dict&, bool>(), nb::arg("options"), nb::arg("sync"))
      .def("answer", &PySession::answer, nb::arg("line"), nb::arg("time").none() = nb::none())
      .def("pending", &PySession::pending)
      .def("report", &PySession::report)
      .def("model", &PySession::model)
      .def("close", &PySession::close)
      .def_prop_ro("replayed", &PySession::replayed)
      .def_prop_ro("torn", &PySession::torn);
  module.def("replay", &replay_ledger, nb::arg("ledger"), nb::arg("max_memory"));
  module.def("what_if", &what_if_json, nb::arg("ledger"), nb::arg("options"), nb::arg("max_memory"));
}

}  // namespace askfew::python
