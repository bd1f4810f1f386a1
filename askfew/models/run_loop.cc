#include "askfew/models/run_loop.h"

#include <algorithm>
#include <exception>
#include <optional>

#include "askfew/models/batch.h"
#include "askfew/system/worker_pool.h"

namespace askfew {
namespace {

/// Rounds that are learned by all tasks, then reported. So much text fits the second-level cache.
constexpr std::uint64_t max_rows = 512;

/// AskDecider of a batch, round by round, in columns.
class TraceTable {
 public:
  explicit TraceTable(std::size_t columns) : columns_(columns) {}

  void resize(std::size_t rows) { cells_.resize(rows * columns_); }
  void set(std::size_t row, std::size_t column, const TraceRow& decision) {
    TraceRow& cell = cells_[row * columns_ + column];
    cell = decision;
    cell.task = column;
  }
  [[nodiscard]] std::span<const TraceRow> cells() const { return cells_; }

 private:
  std::size_t columns_;
  std::vector<TraceRow> cells_;
};

/// What one thread runs over a batch: tasks that share work, or one multi-class task.
class Unit {
 public:
  using Observer = std::function<void(std::size_t, const Round&)>;

  /// `trace`, if there is one, has the unit's decisions from this column on; `observe`, if there is one, is
  /// told of its tasks from this number on.
  Unit(TaskSet set, TraceTable* trace, const Observer* observe, std::size_t column)
      : tasks_(set.tasks), decider_(set.decisions), trace_(trace), observe_(observe), column_(column) {
    if (set.decisions != nullptr) classes_.emplace(set.tasks, *set.decisions);
  }

  void run(const Batch& batch) {
    row_ = 0;
    try {
      Lookahead lookahead(tasks_, batch.instances());
      for (; row_ < batch.size(); ++row_) {
        lookahead.go_to(row_);
        if (batch.is_timed()) tell_time(batch.time(row_));
        if (classes_) {
          run_classes(batch.instances()[row_], batch.labels(row_));
        } else {
          run_tasks(batch.instances()[row_], batch.labels(row_));
        }
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  // The row that the last batch ended with, and what ended it.
  [[nodiscard]] std::size_t row() const { return row_; }
  [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }

 private:
  /// The round as it is without the labels that were not asked.
  static MonitoredRound watched(const Query& query, Label prediction, Label truth) {
    return {.prediction = prediction,
            .score = query.score,
            .chance = query.chance(),
            .asked = query.asked,
            .truth = query.asked ? std::optional(truth) : std::nullopt};
  }
  void tell_time(std::int64_t time) {
    for (Task& task : tasks_) task.sampler->advance_to(time);
    if (decider_ != nullptr) decider_->advance_to(time);
  }

  void run_tasks(const FeatureView& x, std::span<const Label> labels) {
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      Task& task = tasks_[k];
      const Label y = labels[task.label];
      const Query query = task.sampler->ask(x);
      const bool updated = query.asked && task.sampler->tell(x, y, query);
      task.confusion.add(query.prediction, y);
      if (task.watch) task.watch->add(watched(query, query.prediction, y));
      if (observe_ != nullptr) (*observe_)(column_ + k, {.x = x, .y = y, .query = query, .updated = updated});
      if (trace_ != nullptr) {
        trace_->set(row_, column_ + k,
                    {.query = query,
                     .prediction = static_cast<int>(query.prediction),
                     .label = static_cast<int>(y),
                     .updated = updated});
      }
    }
  }

  void run_classes(const FeatureView& x, std::span<const Label> labels) {
    const auto truth =
        static_cast<std::size_t>(std::find(labels.begin(), labels.end(), Label::positive) - labels.begin());
    const ClassQuery query = classes_->ask(x);
    const bool updated = query.query.asked && classes_->tell(x, truth, query);
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      const Label prediction = k == query.prediction ? Label::positive : Label::negative;
      tasks_[k].confusion.add(prediction, labels[k]);
      if (tasks_[k].watch) {
        MonitoredRound round = watched(query.query, prediction, labels[k]);
        round.score = {};  // the margin is none of the class's own
        tasks_[k].watch->add(round);
      }
    }
    if (trace_ != nullptr) {
      trace_->set(row_, column_,
                  {.query = query.query,
                   .prediction = static_cast<std::int64_t>(query.prediction),
                   .label = static_cast<std::int64_t>(truth),
                   .updated = updated});
    }
  }

  std::span<Task> tasks_;
  AnyDecisions* decider_;
  std::optional<OneVsRest> classes_;
  TraceTable* trace_;
  const Observer* observe_;
  std::size_t column_;
  std::size_t row_ = 0;
  std::exception_ptr failure_;
};

void add_units(TaskSet set, TraceTable* trace, const Unit::Observer* observe, std::vector<Unit>& units) {
  if (set.decisions != nullptr) {
    units.emplace_back(set, trace, observe, 0);
    return;
  }
  std::size_t column = 0;
  for (const std::span<Task> tasks : units_of(set.tasks)) {
    units.emplace_back(tasks, trace, observe, column);
    column += tasks.size();
  }
}

/// The first failure by round, then by task: the same on any number of threads.
void rethrow_first_failure(const std::vector<Unit>& units) {
  const Unit* first = nullptr;
  for (const Unit& unit : units) {
    if (unit.failure() && (first == nullptr || unit.row() < first->row())) first = &unit;
  }
  if (first != nullptr) std::rethrow_exception(first->failure());
}

}  // namespace

tl::expected<std::uint64_t, ParseError> run_loop(Stream& stream, const Labelling& labelling, TaskSet tasks,
                                                 const RunLoopOptions& options) {
  TraceTable trace(tasks.decisions != nullptr ? 1 : tasks.tasks.size());
  std::vector<Unit> units;
  add_units(tasks, options.trace ? &trace : nullptr, options.observe ? &options.observe : nullptr, units);
  for (const TaskSet& set : options.beside) add_units(set, nullptr, nullptr, units);
  const auto workers = static_cast<unsigned>(
      std::clamp<std::size_t>(options.threads, 1, std::max<std::size_t>(1, units.size())));
  WorkerPool pool(workers);
  Batch batch(stream, labelling, options.features, options.unit_norm, options.timed);
  const std::function<void(unsigned)> job = [&](unsigned worker) {
    for (std::size_t k = worker; k < units.size(); k += workers) units[k].run(batch);
  };
  std::uint64_t rounds = 0;
  std::uint64_t report = 1;
  while (options.stop == nullptr || !*options.stop) {
    const std::uint64_t until_pause = options.pause == 0 ? max_rows : options.pause - rounds % options.pause;
    if (auto advanced = batch.advance(std::min({max_rows, report - rounds, until_pause})); !advanced) {
      return tl::make_unexpected(advanced.error());
    }
    if (batch.size() == 0) break;
    if (options.trace) trace.resize(batch.size());
    pool.run(job);
    rethrow_first_failure(units);
    if (options.trace) std::for_each(trace.cells().begin(), trace.cells().end(), options.trace);
    rounds += batch.size();
    if (options.progress) options.progress(rounds);
    if (rounds == report) report *= 2;
  }
  return rounds;
}

}  // namespace askfew
