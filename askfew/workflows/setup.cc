#include "askfew/workflows/setup.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "askfew/config/share.h"
#include "askfew/config/text.h"
#include "askfew/features/stop_words.h"
#include "askfew/features/words.h"
#include "askfew/streams/byte_source.h"
#include "askfew/streams/formats/svmlight/svmlight.h"
#include "askfew/streams/formats/synthetic/synthetic.h"
#include "askfew/streams/remembering_stream.h"
#include "askfew/workflows/choice.h"
#include "askfew/workflows/input_kind.h"
#include "askfew/workflows/labels.h"

namespace askfew {
namespace {

constexpr std::size_t max_stop_bytes = 1'000'000;
constexpr std::size_t max_remembered = std::size_t{1} << 29;  // bytes of examples kept from a first pass

/// The words of a file, which are stored in the model.
std::string read_words(const std::string& path, bool fold) {
  ByteSource file(path);
  std::string text(max_stop_bytes + 1, '\0');
  text.resize(file.read_fully(text.data(), text.size()));
  if (!file.failure().empty()) throw FileError(fmt::format("{}: {}", file.name(), file.failure()));
  if (text.size() > max_stop_bytes) {
    throw ConfigError(fmt::format("`stop_words` {}: more than {} bytes", file.name(), max_stop_bytes));
  }
  if (!is_utf8(text)) throw ConfigError(fmt::format("`stop_words` {}: not UTF-8", file.name()));
  Words words;
  WordSplitter(fold).split(text, words);
  if (words.list.empty()) throw ConfigError(fmt::format("`stop_words` {}: no word in it", file.name()));
  return fmt::format("{}", fmt::join(words.list, " "));
}

FeatureOptions features_of(const ReadingOptions& options) {
  FeatureOptions features = options.features;
  if (options.stop_words == "english") {
    features.text.stop_words = english_stop_words();
  } else if (options.stop_words != "none") {
    features.text.stop_words = read_words(options.stop_words, features.text.fold);
  }
  return features;
}

FeatureView::Index first_index(const std::string& text, const InputData& data) {
  if (choice<bool>("index_base", text, {{"0", false}, {"1", false}, {"auto", true}})) {
    if (!data.can_be_read_twice()) {
      throw ConfigError("a pipe is read only once: give the first index with `index_base` 0 or 1");
    }
    const std::vector<std::string>& paths = data.options().paths;
    return std::any_of(paths.begin(), paths.end(),
                       [](const std::string& path) {
                         return !is_synthetic(path) && has_index_0(ByteSource(path).peek());
                       })
               ? 0
               : 1;
  }
  return text == "0" ? 0 : 1;
}

/// The number of features in the options; 0: not given.
FeatureView::Index fixed_dimension(std::uint64_t dimension, const ModelConfig& config) {
  const TextOptions& text = config.features.text;
  if (text.dictionary && dimension != 0) {
    throw ConfigError("`dimension` is not for a dictionary: limit it with `max_words`");
  }
  if (dimension > SvmlightFormat::max_features) {
    throw ConfigError(fmt::format("`dimension` {} is more than {}", dimension, SvmlightFormat::max_features));
  }
  if (text.dictionary && text.is_limited()) dimension = text.max_words;
  return dimension == 0 ? 0 : static_cast<FeatureView::Index>(dimension + config.constants());
}

/// The facts that need a pass over the data.
struct Unknown {
  bool labels = false;
  bool dimension = false;
  bool horizon = false;

  [[nodiscard]] bool any() const { return labels || dimension || horizon; }
  [[nodiscard]] bool is_horizon_alone() const { return horizon && !labels && !dimension; }
};

/// Copies the facts that the format of the data fixes.
void take(const StreamFacts& facts, ModelConfig& config) {
  config.dimension = std::max(config.dimension, facts.dimension);
  if (facts.table != nullptr) config.schema = *facts.table;
  if (config.labels.names.empty() && facts.label_kind == LabelKind::one_two) {
    config.labels.kind = LabelPlan::Kind::one_two;
  }
}

void take(const Scan& found, const Unknown& unknown, ModelConfig& config) {
  if (unknown.dimension) {
    config.dimension = std::max<FeatureView::Index>(1 + config.constants(), found.dimension);
  }
  if (!unknown.horizon) return;
  if (config.dimension == 0 && !config.features.text.dictionary &&
      gains_from_dimension(config.sampler, found.dimension)) {
    config.found_dimension = found.dimension;
  }
}

/// `auto`: a fifth of the budget goes to the audit. With less the interval is much wider, with more the
/// learner makes more mistakes (docs/honest-estimates.md). THROWS: ConfigError.
double audit_of(const std::string& text, const LabelBudget& budget) {
  constexpr double parts = 5;
  if (text != "auto") {
    try {
      return parse_share(text);
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("`audit` {}", error.what()));
    }
  }
  if (budget.kind == LabelBudget::Kind::share) return budget.amount / parts;
  if (budget.kind == LabelBudget::Kind::count && budget.horizon > 0) {
    return std::min(1.0, budget.amount / parts / static_cast<double>(budget.horizon));
  }
  throw ConfigError(
      "an `audit` of auto is a fifth of a budget: give `budget` as a share, e.g. 5%, or with its `horizon`");
}

/// Is the audit a fifth of a number of labels, for rounds that are not counted yet?
bool waits_for_horizon(const SamplerOptions& options) {
  return options.audit == "auto" && options.horizon == 0 && !options.budget.empty() &&
         parse_budget(options.budget).kind == LabelBudget::Kind::count;
}

}  // namespace

Spending spending_of(const SamplerOptions& options) {
  Spending spending;
  if (!options.budget.empty()) spending.budget = parse_budget(options.budget);
  if (options.horizon > 0 && !spending.budget.is_set()) throw ConfigError("`horizon` is for a `budget`");
  spending.budget.horizon = options.horizon;
  if (!options.audit.empty()) spending.audit = audit_of(options.audit, spending.budget);
  check(spending);
  return spending;
}

SamplerConfig sampler_of(const SamplerOptions& options) {
  const auto& [sampler, learner, rule, update, budget, horizon, audit, aim] = options;
  if (!sampler.empty() && (!learner.empty() || !rule.empty())) {
    throw ConfigError("`sampler` names learner and rule already: give it, or `learner` and `rule`");
  }
  if (learner.empty() != rule.empty()) throw ConfigError("`learner` and `rule` go together");
  SamplerConfig config;
  if (learner.empty()) {
    const std::string_view standard = budget.empty() ? "pa-log" : "auto";
    config = parse_preset(sampler.empty() ? standard : sampler);
  } else {
    config.learner = parse_learner(learner);
    config.rule = parse_rule(rule);
    config.update = standard_policy(config.learner);
  }
  if (!update.empty()) config.update = parse_policy(update);
  config.spending = spending_of(options);
  config.aim = parse_aim(aim);
  return config;
}

ModelConfig reading_config(const ReadingOptions& options, const InputData& data) {
  using Field = PackagesFormat::LabelField;
  ModelConfig config{.index_base = first_index(options.index_base, data),
                     .label_field = choice<Field>("label_field", options.label_field,
                                                  {{"section", Field::section}, {"tag", Field::tag}}),
                     .features = features_of(options),
                     .table = options.table};
  config.dimension = fixed_dimension(options.dimension, config);
  return config;
}

Setup set_up(const ModelOptions& options, InputData& data) {
  Setup setup{.config = reading_config(options.reading, data), .stream = nullptr};
  ModelConfig& config = setup.config;
  // A pipe can be read only once, so the user must give its format and labels.
  const bool scannable = data.can_be_read_twice();
  SamplerOptions sampler = options.sampler;
  const bool counts_for_audit = scannable && waits_for_horizon(sampler);
  if (counts_for_audit) sampler.audit.clear();
  config.sampler = sampler_of(sampler);
  const auto set_horizon = [&](std::uint64_t rounds) {
    config.sampler.spending.budget.horizon = rounds;
    if (counts_for_audit) config.sampler.spending.audit = audit_of("auto", config.sampler.spending.budget);
  };
  config.seed = options.seed;
  config.labels = named_labels(options.labels);
  config.together = choice<bool>("ask", options.ask, {{"apart", false}, {"together", true}});
  Unknown unknown{.labels = are_to_be_found(options.labels)};
  if (scannable) {
    setup.stream = data.open(config);
    expect_used(data.options(), options.reading, *setup.stream);
    unknown.labels |= config.labels.names.empty() && setup.stream->facts().label_kind == LabelKind::topics;
    take(setup.stream->facts(), config);
  }
  const LabelBudget& budget = config.sampler.spending.budget;
  unknown.dimension = config.dimension == 0 && needs_dimension(config.sampler);
  unknown.horizon = scannable && budget.horizon == 0 &&
                    (budget.kind == LabelBudget::Kind::count || budget.kind == LabelBudget::Kind::share);
  if (!unknown.any()) return setup;
  // Without a pass over the examples, unless it can also show a label that no example has before the run
  // begins.
  if (unknown.is_horizon_alone() && config.labels.names.empty() && !gains_from_dimension(config.sampler, 1)) {
    if (const auto examples = data.count(config)) {
      set_horizon(*examples);
      return setup;
    }
  }
  if (unknown.dimension && config.features.text.dictionary) {
    throw ConfigError("this sampler needs the number of features: limit the dictionary with `max_words`");
  }
  if (!scannable) {
    data.expect_files();
    throw ConfigError(unknown.labels
                          ? "a pipe is read only once: name the labels with `labels`"
                          : "a pipe is read only once: give the number of features with `dimension`");
  }
  const std::size_t most_remembered = std::min(max_remembered, data.memory()->left() / 4);
  auto first_pass =
      std::make_unique<RememberingStream>(std::move(setup.stream), data.shared_skipped(), most_remembered);
  const auto found = scan(*first_pass, data.memory());
  if (!found) throw DataError(found.error());
  data.expect_labels();
  if (unknown.horizon) set_horizon(found->examples);
  take(*found, unknown, config);
  if (unknown.labels) {
    config.labels = found_labels(options.labels, *found, *first_pass);
    data.note_found_labels(config.labels.names);
    if (config.labels.names.empty()) {
      throw DataError({.why = "no example, or none with a label", .file = data.name()});
    }
  }
  // With a fixed dimension the data is read in another way.
  if (!unknown.dimension && first_pass->rewind()) {
    setup.stream = std::move(first_pass);
  } else {
    setup.stream = data.open(config);
  }
  return setup;
}

}  // namespace askfew
