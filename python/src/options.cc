#include "options.h"

#include <algorithm>
#include <askfew/config/text.h>
#include <askfew/core/errors.h>
#include <askfew/features/feature_options.h>
#include <fmt/core.h>

namespace askfew::python {
namespace {

void take_features(Options& given, FeatureOptions& options) {
  for (const FeatureOption& option : feature_option_table()) {
    if (option.name == "stop-words") continue;  // see ReadingOptions
    std::string name(option.name);
    std::replace(name.begin(), name.end(), '-', '_');
    nb::object value = nb::none();
    given.take(name.c_str(), value);
    if (value.is_none()) continue;
    if (option.flag && nb::isinstance<nb::bool_>(value))
      value = nb::str(nb::cast<bool>(value) ? "yes" : "no");
    set_feature_option(options, option.name, nb::cast<std::string>(nb::str(value)));
  }
}

}  // namespace

nb::object Options::find(const char* name) const {
  return given_.contains(name) ? nb::object(given_[name]) : nb::none();
}

void Options::refuse_type(const char* name, nb::handle value, std::string_view accepted) {
  throw ConfigError(
      fmt::format("`{}`: {} is not accepted, expected: {}", name, nb::repr(value).c_str(), accepted));
}

void Options::finish() const {
  for (const auto& [key, value] : given_) {
    const auto name = nb::cast<std::string>(key);
    if (value.is_none() || std::find(taken_.begin(), taken_.end(), name) != taken_.end()) continue;
    throw ConfigError(fmt::format("there is no option {} here", in_quotes(name)));
  }
}

void take(Options& given, SamplerOptions& options) {
  given.take("sampler", options.sampler);
  given.take("learner", options.learner);
  given.take("rule", options.rule);
  given.take("update", options.update);
  given.take("budget", options.budget);
  given.take("horizon", options.horizon);
  given.take("audit", options.audit);
  given.take("aim", options.aim);
}

void take(Options& given, LabelOptions& options) {
  given.take("positive", options.positive);
  given.take("negative", options.negative);
  given.take("labels", options.labels);
  given.take("topics", options.topics);
  given.take("multiclass", options.multiclass);
}

void take(Options& given, ReadingOptions& options) {
  take_features(given, options.features);
  given.take("stop_words", options.stop_words);
  given.take("dimension", options.dimension);
  given.take("index_base", options.index_base);
  given.take("label_field", options.label_field);
  given.take("label_column", options.table.label_column);
  given.take("id_column", options.table.id_column);
  given.take("time_column", options.table.time_column);
  given.take("numeric_columns", options.table.numeric_columns);
  given.take("categorical_columns", options.table.categorical_columns);
  given.take("text_columns", options.table.text_columns);
  given.take("ignore_columns", options.table.ignore_columns);
  std::string delimiter;
  given.take("delimiter", delimiter);
  if (!delimiter.empty()) options.table.delimiter = parse_delimiter(delimiter);
}

void take(Options& given, ModelOptions& options) {
  take(given, options.sampler);
  given.take("seed", options.seed);
  take(given, options.labels);
  take(given, options.reading);
}

void take(Options& given, DataOptions& options) {
  given.take("format", options.format);
  given.take("idx_labels", options.idx_labels);
  given.take("on_error", options.on_error);
  given.take("unlabelled", options.unlabelled);
  given.take("order", options.order);
  given.take("split", options.split);
  given.take("with_topics", options.with_topics);
  given.take("cache", options.cache);
  given.take("threads", options.threads);
  given.take("max_line", options.max_line);
  given.take("max_memory", options.max_memory);
}

}  // namespace askfew::python
