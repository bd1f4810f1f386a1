#include "askfew/models/run_loop.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <optional>

#include "askfew/models/batch.h"
#include "askfew/system/worker_pool.h"

namespace askfew {
namespace {

/// Rounds that all tasks learn before they are reported. This amount of text fits the second-level cache.
constexpr std::uint64_t max_rows = 512;

/// The rounds of a batch, in columns.
class TraceTable {
 public:
  explicit TraceTable(std::size_t columns) : columns_(columns) {}

  void resize(std::size_t rows) { cells_.resize(rows * columns_); }
  void set(std::size_t row, std::size_t column, const Round& round) {
    cells_[row * columns_ + column] = round;
  }
  void tell(const Batch& batch, const RunLoopOptions& options) const {
    for (std::size_t row = 0, k = 0; k < cells_.size(); ++row) {
      if (options.trace_id) options.trace_id(batch.id(row));
      for (std::size_t column = 0; column < columns_; ++column, ++k) options.trace(column, cells_[k]);
    }
  }

 private:
  std::size_t columns_;
  std::vector<Round> cells_;
};

/// The work of one thread on a batch: tasks that share work, or one multi-class task.
class Unit {
 public:
  using Observer = std::function<void(std::size_t, const FeatureView&, const Round&)>;

  /// `trace`, if not null, gets the unit's rounds from this column on; `observe`, if not null, is called for
  /// its tasks with numbers from `column` on. `new_features`: of the next batch.
  Unit(TaskSet set, const NewFeatures& new_features, TraceTable* trace, const Observer* observe,
       std::size_t column)
      : loop_(set, &new_features), trace_(trace), observe_(observe), column_(column) {}

  [[nodiscard]] bool shares_work() const { return loop_.shares_work(); }

  void run(const Batch& batch) {
    asked_.assign(batch.size(), 0);
    try {
      if (observe_ == nullptr && trace_ == nullptr) return loop_.run_and_mark(batch, asked_);
      loop_.run(batch, [&](std::size_t task, const FeatureView& x, const Round& round) {
        asked_[loop_.row()] |= static_cast<unsigned char>(round.query.asked);
        if (observe_ != nullptr) (*observe_)(column_ + task, x, round);
        if (trace_ != nullptr) trace_->set(loop_.row(), column_ + task, round);
        return true;
      });
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  // The last row of the last batch, and the failure that ended it.
  [[nodiscard]] std::size_t row() const { return loop_.row(); }
  [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }
  /// By row of the last batch: 1 if a label was asked.
  [[nodiscard]] const std::vector<unsigned char>& asked() const { return asked_; }

 private:
  RoundLoop loop_;
  TraceTable* trace_;
  const Observer* observe_;
  std::size_t column_;
  std::exception_ptr failure_;
  std::vector<unsigned char> asked_;
};

void add_units(TaskSet set, const NewFeatures& new_features, TraceTable* trace, const Unit::Observer* observe,
               std::vector<Unit>& units) {
  if (set.decisions != nullptr) {
    const bool of_tasks = set.shared == TaskSet::Shared::by_topics;
    units.emplace_back(set, new_features, trace, of_tasks ? observe : nullptr, 0);
    return;
  }
  std::size_t column = 0;
  for (const std::span<Task> tasks : units_of(set.tasks)) {
    units.emplace_back(tasks, new_features, trace, observe, column);
    column += tasks.size();
  }
}

/// The number of rows of a batch with a label that one of these units has asked.
std::uint64_t count_opened(std::span<const Unit> units) {
  if (units.empty()) return 0;
  std::vector<unsigned char> opened = units.front().asked();
  for (const Unit& unit : units.subspan(1)) {
    for (std::size_t row = 0; row < opened.size(); ++row) opened[row] |= unit.asked()[row];
  }
  return std::accumulate(opened.begin(), opened.end(), std::uint64_t{0});
}

/// The first failure by round, then by task: the same for any number of threads.
void rethrow_first_failure(const std::vector<Unit>& units) {
  const Unit* first = nullptr;
  for (const Unit& unit : units) {
    if (unit.failure() && (first == nullptr || unit.row() < first->row())) first = &unit;
  }
  if (first != nullptr) std::rethrow_exception(first->failure());
}

}  // namespace

tl::expected<std::uint64_t, ParseError> run_loop(Batch& batch, TaskSet tasks, const RunLoopOptions& options) {
  TraceTable trace(tasks.rounds_an_instance());
  NewFeatures new_features;
  std::vector<Unit> units;
  add_units(tasks, new_features, options.trace ? &trace : nullptr,
            options.observe ? &options.observe : nullptr, units);
  const std::size_t own_units = units.size();
  for (const TaskSet& set : options.beside) add_units(set, new_features, nullptr, nullptr, units);
  const bool shares_work = std::ranges::any_of(units, &Unit::shares_work);
  const auto workers = static_cast<unsigned>(
      std::clamp<std::size_t>(options.threads, 1, std::max<std::size_t>(1, units.size())));
  WorkerPool pool(workers);
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
    if (shares_work) new_features.find(batch.instances());
    pool.run(job);
    rethrow_first_failure(units);
    if (options.trace) trace.tell(batch, options);
    if (options.opened != nullptr) {
      *options.opened += count_opened(std::span<const Unit>(units).first(own_units));
    }
    rounds += batch.size();
    if (options.progress) options.progress(rounds);
    if (rounds == report) report *= 2;
  }
  return rounds;
}

tl::expected<std::uint64_t, ParseError> run_loop(Stream& stream, const Labelling& labelling, TaskSet tasks,
                                                 const RunLoopOptions& options) {
  StreamBatch batch(stream, labelling,
                    {.features = options.features, .unit_norm = options.unit_norm, .timed = options.timed});
  return run_loop(batch, tasks, options);
}

}  // namespace askfew
