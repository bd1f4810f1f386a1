#include "askfew/protocol/run.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <optional>

#include "askfew/protocol/worker_pool.h"

namespace askfew {
namespace {

/// Rounds that are learned by all tasks, then reported. So much text fits the second-level cache.
constexpr std::uint64_t most_rows = 512;
constexpr double norm_tolerance = 1e-6;

/// Examples in a row, with the label of every task.
class Batch {
 public:
  Batch(Stream& stream, const Labelling& labelling, const RunOptions& options)
      : stream_(stream), labelling_(labelling), options_(options) {}

  /// Goes on to the next examples, up to `rows`; to none at the end of the stream. What comes before an error
  /// is learned first.
  tl::expected<void, ParseError> advance(std::uint64_t rows) {
    instances_.clear();
    labels_.clear();
    while (!error_ && instances_.size() < rows) {
      if (next_ == examples_.size()) {
        if (!instances_.empty()) break;  // they are in the block that would be replaced
        next_ = 0;
        const auto more = stream_.next(examples_);
        if (!more) error_ = more.error();
        if (!more || !*more) examples_.clear();
        if (examples_.size() == 0) break;
      }
      if (auto accepted = accept(next_++); !accepted && !stream_.skip(accepted.error())) {
        error_ = accepted.error();
      }
    }
    if (error_ && instances_.empty()) return tl::make_unexpected(*error_);
    return {};
  }

  [[nodiscard]] std::size_t size() const { return instances_.size(); }
  [[nodiscard]] std::span<const FeatureView> instances() const { return instances_; }
  [[nodiscard]] Label label(std::size_t row, std::size_t task) const {
    return labels_[row * labelling_.tasks() + task];
  }

 private:
  tl::expected<void, ParseError> accept(std::size_t row) {
    const auto wrong = [&](std::string why) {
      const std::uint64_t line = examples_.line(row);
      return tl::make_unexpected(ParseError{
          .line = line, .column = line > 0 ? 1U : 0U, .why = std::move(why), .file = stream_.name()});
    };
    labels_.resize((instances_.size() + 1) * labelling_.tasks());
    const auto refuse = [&](std::string why) {
      labels_.resize(instances_.size() * labelling_.tasks());
      return wrong(std::move(why));
    };
    const std::span<Label> labels = std::span(labels_).last(labelling_.tasks());
    if (auto assigned = labelling_.assign(examples_.labels(row), labels); !assigned) {
      return refuse(assigned.error());
    }
    if (options_.features != nullptr) options_.features->settle(examples_, row, 1);
    const double squared_norm = examples_.x(row).squared_norm();
    if (!std::isfinite(squared_norm)) return refuse("the instance's norm is too large for a number");
    if (options_.unit_norm && squared_norm != 0 && std::abs(squared_norm - 1) > norm_tolerance) {
      return refuse(fmt::format("the instance has norm {:.6g}, this sampler needs norm 1; see --normalize",
                                std::sqrt(squared_norm)));
    }
    instances_.push_back(examples_.x(row));
    return {};
  }

  Stream& stream_;
  const Labelling& labelling_;
  const RunOptions& options_;
  Examples examples_;     // as the stream delivered them
  std::size_t next_ = 0;  // of them, the first that is in no batch yet
  std::optional<ParseError> error_;
  std::vector<FeatureView> instances_;
  std::vector<Label> labels_;
};

/// The rounds of tasks that share work over a batch. Decisions go to `trace`, if there is one, rows `stride`
/// apart.
void run_tasks(std::span<Task> tasks, const Batch& batch, TraceRow* trace, std::size_t stride) {
  SharedWork* shared = tasks[0].shared.get();
  for (Task& task : tasks) task.sampler->read_ahead(batch.instances());
  for (std::size_t row = 0; row < batch.size(); ++row) {
    const FeatureView& x = batch.instances()[row];
    if (shared != nullptr) {
      shared->prepare(x);
      if (row + 1 < batch.size()) shared->announce(batch.instances()[row + 1]);
    }
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      Task& task = tasks[k];
      const Label y = batch.label(row, task.label);
      const Query query = task.sampler->ask(x);
      const bool updated = query.asked && task.sampler->tell(x, y, query);
      task.confusion.add(query.prediction, y);
      if (trace != nullptr) trace[row * stride + k] = {.query = query, .label = y, .updated = updated};
    }
  }
  // The batch will hold others.
  if (shared != nullptr) shared->release();
  for (Task& task : tasks) task.sampler->read_ahead({});
}

/// Tasks that share work are run together.
std::vector<std::span<Task>> units_of(std::span<Task> tasks) {
  std::vector<std::span<Task>> units;
  for (std::size_t begin = 0; begin < tasks.size();) {
    const SharedWork* shared = tasks[begin].shared.get();
    std::size_t end = begin + 1;
    while (shared != nullptr && end < tasks.size() && tasks[end].shared.get() == shared) ++end;
    units.push_back(tasks.subspan(begin, end - begin));
    begin = end;
  }
  return units;
}

}  // namespace

tl::expected<std::uint64_t, ParseError> run(Stream& stream, const Labelling& labelling,
                                            std::vector<Task>& tasks, const RunOptions& options) {
  const auto workers = static_cast<unsigned>(
      std::clamp<std::size_t>(options.threads, 1, std::max<std::size_t>(1, tasks.size())));
  WorkerPool pool(workers);
  Batch batch(stream, labelling, options);
  std::vector<TraceRow> trace;
  const std::vector<std::span<Task>> units = units_of(tasks);
  std::vector<std::exception_ptr> failures(units.size());
  const std::function<void(unsigned)> job = [&](unsigned worker) {
    for (std::size_t t = worker; t < units.size(); t += workers) {
      try {
        const std::span<Task> unit = units[t];
        TraceRow* first = options.trace ? trace.data() + (unit.data() - tasks.data()) : nullptr;
        run_tasks(unit, batch, first, tasks.size());
      } catch (...) {
        failures[t] = std::current_exception();
      }
    }
  };
  std::uint64_t rounds = 0;
  std::uint64_t report = 1;
  while (options.stop == nullptr || !*options.stop) {
    const std::uint64_t until_pause = options.pause == 0 ? most_rows : options.pause - rounds % options.pause;
    if (auto advanced = batch.advance(std::min({most_rows, report - rounds, until_pause})); !advanced) {
      return tl::make_unexpected(advanced.error());
    }
    if (batch.size() == 0) break;
    if (options.trace) trace.resize(batch.size() * tasks.size());
    pool.run(job);
    for (const std::exception_ptr& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
    if (options.trace) {
      for (std::size_t k = 0; k < trace.size(); ++k) {
        trace[k].task = k % tasks.size();
        options.trace(trace[k]);
      }
    }
    rounds += batch.size();
    if (options.progress) options.progress(rounds);
    if (rounds == report) report *= 2;
  }
  return rounds;
}

}  // namespace askfew
