#include "askfew/workflows/run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include "askfew/estimates/expected_width.h"
#include "askfew/models/model_file.h"
#include "askfew/system/atomic_file.h"
#include "askfew/workflows/choice.h"
#include "askfew/workflows/input_kind.h"
#include "askfew/workflows/seed_data.h"
#include "askfew/workflows/setup.h"

namespace askfew {
namespace {

bool can_be_replaced(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && path != "-" &&
         (!std::filesystem::exists(path, ignored) || std::filesystem::is_regular_file(path, ignored));
}

/// Turns the tasks of a run into final classifiers.
class FinalMonitor {
 public:
  /// REQUIRES: the tasks are new and outlive this object. THROWS: ConfigError if the model does not support
  /// it.
  FinalMonitor(const RunOptions& options, Model& model, const SharedLimit& memory)
      : choice_(choice<FinalChoice>("final_classifier", options.final_classifier,
                                    {{"last", FinalChoice::last},
                                     {"average", FinalChoice::average},
                                     {"penalized", FinalChoice::penalized}})),
        delta_(options.delta),
        model_(model) {
    if (!(delta_ > 0 && delta_ < 1)) throw ConfigError(fmt::format("`delta` {} is not in (0, 1)", delta_));
    if (model.decisions != nullptr) {
      throw ConfigError(
          "`final_classifier` is for tasks that decide for themselves, not for `multiclass` or `ask` "
          "together");
    }
    if (model.config.features.tf_idf) {
      throw ConfigError(
          "`final_classifier` is not for `tf_idf`: its features depend on the texts before, and the bound of "
          "the risk needs independent examples");
    }
    const AlgorithmSpec& learner = model.config.sampler.learner;
    if (offers(learner, "instances")) {
      throw ConfigError(fmt::format(
          "`final_classifier` is not for {}: it changes in every round, so that no hypothesis is ever tested",
          learner.name));
    }
    for (Task& task : model.tasks) {
      tasks_.emplace_back(choice_, model.config.sampler.learner, *task.sampler, memory);
    }
  }

  void observe(std::size_t task, const FeatureView& x, const Round& round) { tasks_[task].observe(x, round); }
  /// Turns the tasks' learners into the final classifiers.
  FinalResult finish() {
    FinalResult result{.choice = choice_, .delta = delta_, .tasks = {}};
    for (OnlineToBatch& task : tasks_) result.tasks.push_back(task.finish(delta_));
    if (choice_ != FinalChoice::last) {  // the margins of the run are not those of the classifier
      for (Task& task : model_.tasks) task.calibration = {};
    }
    return result;
  }

 private:
  FinalChoice choice_;
  double delta_;
  Model& model_;
  std::vector<OnlineToBatch> tasks_;
};

/// Saves the model every so many rounds, so that a good model is on disk even if the run fails.
class Checkpoints {
 public:
  Checkpoints(const RunOptions& options, const RunHooks& hooks) : options_(options), hooks_(hooks) {}

  /// Call between rounds. THROWS: FileError, ModelError; the last saved model stays.
  void save_when_due(std::uint64_t rounds, const Model& model) {
    if (options_.save_every == 0 || rounds - saved_ < options_.save_every) return;
    AtomicFile file(options_.model_path);
    write_model(snapshot_of(model), file.stream());
    file.commit();
    saved_ = rounds;
    if (hooks_.saved) hooks_.saved({.path = options_.model_path, .round = model.tally(0).round});
  }

 private:
  const RunOptions& options_;
  const RunHooks& hooks_;
  std::uint64_t saved_ = 0;  // number of rounds of this run in the last saved model
};

/// Finds the changes that were noticed since the last call.
class NewChanges {
 public:
  explicit NewChanges(const std::vector<Task>& tasks) : tasks_(tasks), told_(tasks.size()) {
    static_cast<void>(next());  // skips the changes before a resume
  }

  std::vector<TaskChange> next() {
    std::vector<TaskChange> changes;
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      if (!tasks_[k].watch) continue;
      for (const Change& change : tasks_[k].watch->changes_after(told_[k])) {
        changes.push_back({.task = tasks_[k].name, .change = change});
      }
      told_[k] = tasks_[k].watch->estimate().rounds();
    }
    return changes;
  }

 private:
  const std::vector<Task>& tasks_;
  std::vector<std::uint64_t> told_;  // by task: changes up to this round were reported
};

Model make_baseline(ModelConfig config, const Usage& usage) {
  config.sampler.rule = parse_rule("always");
  config.sampler.spending = {};
  return make_model(config, usage);
}

/// A model and its data.
struct Prepared {
  Model model;
  std::unique_ptr<Stream> stream;  ///< null: not opened yet
};

Prepared prepare(const RunOptions& options, InputData& data, const Usage& usage) {
  if (!options.resume.empty()) return {.model = load_model(options.resume, usage), .stream = nullptr};
  Setup setup = set_up(options.model, data);
  return {.model = make_model(setup.config, usage), .stream = std::move(setup.stream)};
}

/// The facts that planning a budget needs, that can be counted in a file, and that are unknown for a pipe.
std::string unknown_of(const ModelConfig& config) {
  const LabelBudget& budget = config.sampler.spending.budget;
  if (!budget.is_set()) return "";
  const bool no_end = budget.horizon == 0 && budget.kind != LabelBudget::Kind::period;
  const bool no_features = config.likely_dimension() == 0 && gains_from_dimension(config.sampler, 1);
  std::string text = no_end ? "the length of the stream (`horizon`)" : "";
  if (no_features) {
    text += no_end ? " and the" : "the";
    text += " number of features (`dimension`), so they are not centred";
  }
  return text;
}

/// How wide the interval of the error will be, where the audit and the number of rounds are known.
std::string width_of(const Spending& spending) {
  const std::uint64_t rounds = spending.budget.horizon;
  if (spending.audit <= 0 || rounds == 0) return "";
  constexpr double more = 500;
  const double with_more = spending.audit + more / static_cast<double>(rounds);
  return fmt::format(
      "where one prediction in ten is wrong, the interval of the error will be about {:.2g} points wide; "
      "with "
      "{} labels more for the audit: {:.2g}",
      100 * expected_width(spending.audit, rounds), more, 100 * expected_width(with_more, rounds));
}

void note_one_sided(const ModelSummary& summary, std::vector<std::string>& notes) {
  if (summary.tasks.size() != 1 || summary.multiclass) return;
  const Totals& all = summary.all;
  if (std::string doubt = doubt_about_one_side(all.positives, all.rounds); !doubt.empty())
    notes.push_back(std::move(doubt));
}

}  // namespace

void check(const RunOptions& options) {
  // These options need a run from the first round, so a resumed run cannot have them.
  const auto refuse = [&](bool given, std::string_view option, std::string_view why) {
    if (given && !options.resume.empty()) {
      throw ConfigError(fmt::format("`{}` cannot be given with `resume`: {}", option, why));
    }
  };
  refuse(options.baseline, "baseline", "it would start later than the model");
  refuse(options.control, "control", "it would start later than the model");
  refuse(!options.final_classifier.empty(), "final_classifier", "it would not know the hypotheses before");
  refuse(options.model != ModelOptions{}, "model", "the model has its own");
  if (!options.final_classifier.empty() && !options.model.seed_labels.empty()) {
    throw ConfigError(
        "`final_classifier` cannot be given with `seed_labels`: its bound is for a run that learns only from "
        "its own rounds");
  }
  if (options.save_every > 0 && !can_be_replaced(options.model_path)) {
    throw ConfigError("`save_every` needs a file that can be replaced: name it with `model_path`");
  }
}

RunResult run(const RunOptions& options, const RunHooks& hooks) {
  check(options);
  InputData data(options.data, hooks);
  if (hooks.trace_id) data.watch_ids();
  data.watch_order();
  const SharedLimit& memory = data.memory();
  const Usage beside{.memory = memory, .threads = options.data.threads};
  Usage usage = beside;
  if (hooks.trace) usage.exactness = Exactness::exact;
  auto [model, stream] = prepare(options, data, usage);
  std::optional<Model> baseline;
  if (options.baseline) baseline = make_baseline(model.config, beside);
  std::optional<Control> control;
  if (options.control) control.emplace(model.config, beside);
  std::optional<FinalMonitor> final_monitor;
  if (!options.final_classifier.empty()) final_monitor.emplace(options, model, memory);

  const bool is_opened_now = stream == nullptr;  // a pipe, or the data of a resumed model
  if (is_opened_now) stream = data.open(model.config, InputData::Labels::needed, options.resume);
  if (is_opened_now && options.resume.empty()) expect_used(options.data, options.model.reading, *stream);
  note_input(*stream, model.config);
  if (const auto& table = stream->facts().table)
    model.config.schema = *table;  // for a pipe the schema is known only now
  std::vector<std::string> seed_notes;
  if (!options.model.seed_labels.empty()) {
    Hooks of_seeds = hooks;
    of_seeds.doubt = [&](const std::string& sentence) {
      seed_notes.push_back(sentence);
      if (hooks.doubt) hooks.doubt(sentence);
    };
    const auto seeds = seeds_of_run(options.model.seed_labels, options.data, model.config, beside, of_seeds);
    begin_with(*seeds, model);
    if (baseline) begin_with(*seeds, *baseline);
    if (control) begin_with(*seeds, control->model());
  }
  if (hooks.note && options.resume.empty()) {
    const std::string width = width_of(model.config.sampler.spending);
    if (!width.empty()) hooks.note(width);
  }
  NewChanges changes(model.tasks);
  Checkpoints checkpoints(options, hooks);
  RunLoopOptions loop{.features = &model.features,
                      .unit_norm = learner_info(model.config.sampler.learner).unit_norm,
                      .timed = model.config.sampler.spending.budget.kind == LabelBudget::Kind::period,
                      .threads = options.data.threads,
                      .pause = options.save_every,
                      .opened = model.opened ? &*model.opened : nullptr,
                      .stop = hooks.stop};
  if (baseline) loop.beside.push_back(baseline->task_set());
  if (control) loop.beside.push_back(control->task_set());
  loop.progress = [&](std::uint64_t rounds) {
    if (control) control->note(model, rounds);
    if (hooks.progress) {
      hooks.progress({.rounds = rounds,
                      .totals = totals_of(model),
                      .tasks = model.tasks.size(),
                      .changes = changes.next()});
    }
    checkpoints.save_when_due(rounds, model);
  };
  if (hooks.trace) {
    loop.trace = [&](std::size_t task, const Round& round) { hooks.trace(model, task, round); };
    loop.trace_id = hooks.trace_id;
  }
  if (final_monitor) {
    loop.observe = [&](std::size_t task, const FeatureView& x, const Round& round) {
      final_monitor->observe(task, x, round);
    };
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto rounds = run_loop(*stream, model.config.labels.labelling(*stream), model.task_set(), loop);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  data.tell_skipped();
  if (!rounds) throw DataError(rounds.error());
  if (*rounds == 0 && !hooks.stopped()) throw data.no_example();
  const bool is_whole = options.resume.empty() && !hooks.stopped();

  RunResult result{.model = {},
                   .summary = {},
                   .rounds = *rounds,
                   .skipped = data.skipped().count,
                   .seconds = elapsed.count(),
                   .stopped = hooks.stopped(),
                   .notes = std::move(seed_notes),
                   .input = {},
                   .unknown = {},
                   .baseline = {},
                   .control = {},
                   .final_classifier = {}};
  for (std::string& note : data.check(*stream, is_whole)) result.notes.push_back(std::move(note));
  result.input = input_of(model.config);
  if (baseline) result.baseline = summary_of(*baseline);
  if (control && *rounds > 0) result.control = control->result();
  if (final_monitor && *rounds > 0) result.final_classifier = final_monitor->finish();
  const bool counted = data.can_be_read_twice() && options.model.sampler.horizon == 0;
  if (options.resume.empty() && !counted) result.unknown = unknown_of(model.config);
  result.summary = summary_of(model);
  result.summary.preset = preset_of(model.config.sampler, options.model.sampler.sampler);
  if (is_whole) note_one_sided(result.summary, result.notes);
  result.model = std::move(model);
  return result;
}

}  // namespace askfew
