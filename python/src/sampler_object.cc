#include "sampler_object.h"

#include <algorithm>
#include <askfew/models/model_file.h>
#include <askfew/workflows/input_kind.h>
#include <askfew/workflows/session.h>
#include <askfew/workflows/summary.h>
#include <fmt/core.h>
#include <utility>

namespace askfew::python {
namespace {

/// The configuration before the number of features is known.
ModelConfig early_config(ModelOptions options) {
  if (!options.reading.features.text.dictionary) {
    options.reading.dimension = std::max<std::uint64_t>(1, options.reading.dimension);
  }
  return live_config(options);
}

InputKind input_of(const MemoryRows& rows) {
  return rows.has_words() ? InputKind::text : InputKind::numbers;
}

}  // namespace

SamplerObject::SamplerObject(const ModelOptions& options, const LabelPlan& labels, bool lazy,
                             std::uint64_t max_memory)
    : options_(options), labels_(labels), lazy_(lazy), memory_(std::make_shared<MemoryLimit>(max_memory)) {
  static_cast<void>(early_config(options_));  // refuses impossible options now
}

void SamplerObject::make(FeatureView::Index dimension, InputKind input, std::uint64_t length) {
  ModelOptions options = options_;
  if (options.reading.dimension == 0 && !options.reading.features.text.dictionary)
    options.reading.dimension = dimension;
  if (!options.sampler.budget.empty() && options.sampler.horizon == 0) {
    const LabelBudget budget = parse_budget(options.sampler.budget);
    if (budget.kind != LabelBudget::Kind::period) options.sampler.horizon = length;
  }
  ModelConfig config = live_config(options);
  config.labels = labels_;
  config.input = input;
  live_.emplace(
      make_model(config, {.exactness = lazy_ ? Exactness::lazy : Exactness::exact, .memory = memory_}));
  check_fits(input, dimension);
}

const AskTell& SamplerObject::model() const {
  if (!live_) throw ConfigError("the sampler has seen no instance yet, so there is no model");
  return *live_;
}

FeatureView::Index SamplerObject::dimension() const {
  return live_ ? live_->model().config.dimension_of_data()
               : static_cast<FeatureView::Index>(options_.reading.dimension);
}

void SamplerObject::check_fits(InputKind input, std::size_t dimension) const {
  const InputKind trained = live_->model().config.input;
  const bool is_known = trained == InputKind::text || trained == InputKind::numbers;
  if (is_known && input != InputKind::unknown && input != trained) {
    throw ConfigError(fmt::format("X has {}; the sampler was trained on {}", description_of(input),
                                  description_of(trained)));
  }
  const FeatureView::Index known = live_->model().config.dimension_of_data();
  if (known != 0 && dimension > known) {
    throw ConfigError(fmt::format("instances of {} features, more than the dimension {}", dimension, known));
  }
  const bool is_told = options_.reading.dimension != 0;
  if (dimension != 0 && dimension < known && !is_told) {  // a matrix of something else
    throw ConfigError(
        fmt::format("instances of {} features, fewer than the dimension {}: give all columns, or "
                    "`dimension` to a new sampler whose instances differ",
                    dimension, known));
  }
}

bool SamplerObject::is_plain() const {
  const FeatureOptions& features = live_->model().config.features;
  return features.bias == 0 && !features.normalize && !features.need_state();
}

std::shared_ptr<Examples> SamplerObject::settled(MemoryRows& one, bool learns) {
  auto block = std::make_shared<Examples>();
  append_row(one, 0, {}, live_->model().config.features, *block);
  if (learns) {
    live_->settle(*block, 0);
  } else {
    RowSorter sorter;
    live_->model().features.apply(*block, 0, 1, sorter);
  }
  return block;
}

void SamplerObject::write(std::span<const Round> rounds, const std::shared_ptr<const Examples>& x,
                          std::vector<QueryObject>& queries) const {
  queries.clear();
  const bool of_classes = labels_.kind == LabelPlan::Kind::one_of;
  for (std::size_t k = 0; k < rounds.size(); ++k) {
    queries.push_back({.round = rounds[k], .task = k, .of_classes = of_classes, .x = x});
  }
}

void SamplerObject::ask(std::span<const double> x, std::vector<QueryObject>& queries) {
  if (!live_) make(static_cast<FeatureView::Index>(x.size()), InputKind::numbers, 0);
  if (!is_plain()) {
    DenseRows<double> one(x.data(), 1, x.size());
    return ask(one, queries);
  }
  check_fits(InputKind::numbers, x.size());
  rounds_.resize(live_->rounds_an_instance());
  live_->ask(FeatureView::dense(x), rounds_);
  last_round_ = rounds_[0].query.round;
  write(rounds_, nullptr, queries);
}

void SamplerObject::ask(MemoryRows& one, std::vector<QueryObject>& queries) {
  one.set_text_options(live_ ? live_->model().config.features.text : early_config(options_).features.text);
  if (!live_) make(one.dimension(), input_of(one), 0);
  check_fits(input_of(one), one.dimension());
  const auto block = settled(one, true);
  rounds_.resize(live_->rounds_an_instance());
  live_->ask(block->x(0), rounds_);
  last_round_ = rounds_[0].query.round;
  write(rounds_, block, queries);
}

void SamplerObject::peek(std::span<const double> x, std::vector<QueryObject>& queries) {
  DenseRows<double> one(x.data(), 1, x.size());
  peek(one, queries);
}

void SamplerObject::peek(MemoryRows& one, std::vector<QueryObject>& queries) {
  one.set_text_options(live_ ? live_->model().config.features.text : early_config(options_).features.text);
  if (!live_) make(one.dimension(), input_of(one), 0);
  check_fits(input_of(one), one.dimension());
  const auto block = settled(one, false);
  std::vector<Round> rounds(live_->rounds_an_instance());
  live_->peek(block->x(0), rounds);
  write(rounds, block, queries);
}

void SamplerObject::check(const QueryObject& query, LabelNumber label) const {
  if (!query.round.query.asked) throw ConfigError("the label of this query was not asked: it is not learned");
  const std::size_t labels = query.of_classes ? model().model().tasks.size() : 2;
  if (query.of_classes != (labels_.kind == LabelPlan::Kind::one_of) ||
      query.task >= model().rounds_an_instance() ||
      query.round.query.round > model().model().tally(query.task).round) {
    throw ConfigError("the query is of another sampler");
  }
  if (label >= labels) throw ConfigError(fmt::format("label {} is not one of {}", label, labels));
}

bool SamplerObject::tell(std::span<const double> x, LabelNumber label, const QueryObject& query) {
  check(query, label);
  last_round_ = 0;
  const FeatureView instance = query.x != nullptr ? query.x->x(0) : FeatureView::dense(x);
  if (query.x == nullptr) check_fits(InputKind::numbers, x.size());
  return live_->tell(instance, label, query.task, query.round);
}

bool SamplerObject::tell(MemoryRows& one, LabelNumber label, const QueryObject& query) {
  check(query, label);
  last_round_ = 0;
  if (query.x != nullptr) return live_->tell(query.x->x(0), label, query.task, query.round);
  one.set_text_options(live_->model().config.features.text);
  check_fits(input_of(one), one.dimension());
  return live_->tell(settled(one, false)->x(0), label, query.task, query.round);
}

void SamplerObject::check_last(const QueryObject& query) const {
  if (lazy_) throw ConfigError("a lazy sampler has no explanations: its probabilities are bounds");
  if (last_round_ == 0 || query.round.query.round != last_round_) {
    throw ConfigError("only the last query can be explained, before its label is told");
  }
}

Explanation SamplerObject::explain(std::span<const double> x, const QueryObject& query) {
  check_last(query);
  return live_->explain(query.x != nullptr ? query.x->x(0) : FeatureView::dense(x), query.task,
                        query.round.query);
}

Explanation SamplerObject::explain(MemoryRows& one, const QueryObject& query) {
  check_last(query);
  const auto block = query.x != nullptr ? query.x : settled(one, false);
  return live_->explain(block->x(0), query.task, query.round.query);
}

void SamplerObject::advance_to(std::int64_t time) {
  if (!live_) make(0, InputKind::unknown, 0);
  live_->advance_to(time);
}

std::uint64_t SamplerObject::run(MemoryRows& rows, std::span<const Label> labels,
                                 std::span<const std::int64_t> times, bool more, const RoundsOut& out,
                                 unsigned threads, const std::atomic<bool>& stop,
                                 const std::function<void(std::uint64_t)>& progress) {
  rows.set_text_options(live_ ? live_->model().config.features.text : early_config(options_).features.text);
  if (!live_) make(rows.dimension(), input_of(rows), more ? 0 : rows.size());
  check_fits(input_of(rows), rows.dimension());
  last_round_ = 0;
  RunLoopOptions options{.threads = threads, .progress = progress, .stop = &stop};
  std::size_t next = 0;
  const auto shown = [of_classes = labels_.kind == LabelPlan::Kind::one_of](LabelNumber label) {
    return static_cast<std::int32_t>(of_classes ? label : 2 * label - 1);
  };
  if (!out.answers.empty()) {
    if (labels_.kind == LabelPlan::Kind::one_of) throw ConfigError("answers are of binary tasks");
    options.observe = [answers = out.answers, tasks = tasks(), before = tally(0).round](
                          std::size_t task, const FeatureView& /*x*/, const Round& round) {
      const std::uint64_t row = round.query.round - before - 1;
      answers[row * tasks + task] =
          static_cast<std::uint8_t>(round.prediction + (round.query.asked ? 2U : 0U));
    };
  }
  const std::span<TraceRow> trace = out.trace;
  if (!trace.empty()) {
    options.trace = [&](std::size_t task, const Round& round) {
      const Query& query = round.query;
      trace[next++] = {.round = query.round,
                       .margin = query.score.margin,
                       .probability = query.probability,
                       .coin = query.coin,
                       .task = static_cast<std::uint32_t>(task),
                       .prediction = shown(round.prediction),
                       .label = shown(*round.label),
                       .asked = query.asked,
                       .audited = query.audited,
                       .updated = round.updated,
                       .audit = query.audit,
                       .audit_coin = query.audit_coin,
                       .chance = query.chance()};
    };
  }
  return live_->run(rows, labels, times, options);
}

void SamplerObject::margins(MemoryRows& rows, std::span<double> margins) const {
  const AskTell& known = model();
  const FeatureOptions& features = known.model().config.features;
  rows.set_text_options(features.text);
  check_fits(input_of(rows), rows.dimension());
  const std::size_t tasks = known.model().tasks.size();
  Examples block;
  RowSorter sorter;
  const bool plain = is_plain();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::span<double> out = margins.subspan(row * tasks, tasks);
    if (const auto x = plain ? rows.in_place(row) : std::nullopt) {
      known.margins(*x, out);
    } else {
      block.clear();
      append_row(rows, row, {}, features, block);
      known.model().features.apply(block, 0, 1, sorter);
      known.margins(block.x(0), out);
    }
    if (labels_.kind == LabelPlan::Kind::one_of) continue;
    for (std::size_t k = 0; k < tasks; ++k) out[k] -= known.model().tasks[k].sampler->cut();
  }
}

Tally SamplerObject::tally(std::size_t task) const {
  return live_ ? live_->model().tally(task) : Tally{};
}

std::string SamplerObject::report() const {
  return json_of(summary_of(model().model()));
}

SamplerConfig SamplerObject::config() const {
  return live_ ? live_->model().config.sampler : early_config(options_).sampler;
}

std::optional<LinearForm> SamplerObject::linear_form(std::size_t task) const {
  return model().model().tasks[task].sampler->linear_form();
}

std::string SamplerObject::bytes() const {
  return encode_model(snapshot_of(model().model()));
}

void SamplerObject::set_bytes(std::string_view bytes) {
  Model loaded = model_of(decode_model(bytes),
                          {.exactness = lazy_ ? Exactness::lazy : Exactness::exact, .memory = memory_});
  labels_ = loaded.config.labels;
  live_.emplace(std::move(loaded));
  last_round_ = 0;
}

}  // namespace askfew::python
