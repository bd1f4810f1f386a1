#include "apps/cli/options.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <sys/stat.h>

#include "askfew/core/text.h"
#include "askfew/streams/scan.h"
#include "askfew/streams/svmlight.h"

namespace askfew::cli {
namespace {

/// "3,17", "0-9" and mixtures of both; what is no range of numbers is a name.
std::vector<std::string> split_labels(const std::string& text, std::string_view option) {
  std::vector<std::string> names;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string item = text.substr(from, comma - from);
    from = comma + 1;
    if (item.empty()) throw ConfigError(fmt::format("{} {} has an empty label", option, in_quotes(text)));
    if (!is_utf8(item)) throw ConfigError(fmt::format("{} {} is not UTF-8", option, in_quotes(text)));
    int low = 0;
    int high = 0;
    const char* end = item.data() + item.size();
    const auto [dash, first] = std::from_chars(item.data(), end, low);
    const bool is_range = first == std::errc{} && dash != end && *dash == '-' && [&] {
      const auto [past, second] = std::from_chars(dash + 1, end, high);
      return second == std::errc{} && past == end;
    }();
    if (!is_range) {
      names.push_back(item);
    } else if (low > high || std::int64_t{high} - low > 100'000) {
      throw ConfigError(fmt::format("{} '{}' is not a range from small to large", option, item));
    } else {
      for (int label = low; label <= high; ++label) names.push_back(std::to_string(label));
    }
  }
  return names;
}

}  // namespace

std::string a_name(const std::string& text) {
  return text.empty() ? "it is empty" : "";
}

std::string decimal(std::string& text) {
  std::uint64_t value = 0;
  const auto [past, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || past != text.data() + text.size()) {
    return fmt::format("{} is not a whole number from 0 to {}", in_quotes(text), ~std::uint64_t{0});
  }
  text = std::to_string(value);
  return "";
}

std::string text_of(const Skipped& skipped) {
  if (skipped.count == 0) return "";
  std::string text;
  for (const ParseError& error : skipped.first) text += fmt::format("skipped {}\n", DataError(error).what());
  const std::uint64_t more = skipped.count - skipped.first.size();
  if (more > 0) text += fmt::format("skipped {} more\n", more);
  return text;
}

void DataOptions::add_to(CLI::App& command) {
  command
      .add_option(
          "DATA", paths,
          "data files, packed with gzip or zstd or not, read one after the other; - is standard input")
      ->required()
      ->check(a_name);
  command.add_option("--format", format, fmt::format("auto or one of: {}", format_names()))
      ->capture_default_str();
  command.add_option("--on-error", on_error, "what a malformed example does: stop, or skip it and count it")
      ->check(CLI::IsMember({"stop", "skip"}))
      ->capture_default_str();
  command
      .add_option("--threads", threads,
                  "threads to read with, and to share the tasks out over; the results are the same")
      ->check(CLI::Range(1U, 1024U))
      ->capture_default_str();
  command
      .add_option("--idx-labels", idx_labels,
                  "label file of IDX images (default: the name with 'labels' for 'images')")
      ->check(a_name);
}

std::unique_ptr<Stream> DataOptions::open(const ModelConfig& config, const std::shared_ptr<Skipped>& skipped,
                                          const std::atomic<bool>* stop) const {
  auto stream = open_stream(paths, {.format = format,
                                    .idx_labels = idx_labels,
                                    .dimension = config.dimension,
                                    .label_field = config.label_field,
                                    .hashing = config.hashing,
                                    .normalize = config.normalize,
                                    .threads = threads,
                                    .skipped = on_error == "skip" ? skipped : nullptr,
                                    .stop = stop});
  if (config.dimension != 0 && stream->dimension() > config.dimension) {
    throw ConfigError(fmt::format("{}: instances of {} features, more than the dimension {}", name(),
                                  stream->dimension(), config.dimension));
  }
  return stream;
}

bool DataOptions::can_be_read_twice() const {
  return std::all_of(paths.begin(), paths.end(), [](const std::string& path) {
    struct stat status {};
    return path != "-" && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  });
}

std::string DataOptions::name() const {
  const std::string first = paths[0] == "-" ? "<stdin>" : paths[0];
  return paths.size() == 1 ? first : fmt::format("{} and {} more", first, paths.size() - 1);
}

std::vector<CLI::Option*> ModelOptions::add_reading_to(CLI::App& command) {
  return {
      command.add_option("--dimension", dimension, "number of features; larger indices are errors")
          ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{SvmlightFormat::most_features})),
      command.add_option("--label-field", label_field, "of package lists: section or tag")
          ->check(CLI::IsMember({"section", "tag"}))
          ->capture_default_str(),
      command.add_option("--bits", bits, "text is hashed to 2^bits features")
          ->check(CLI::Range(1U, 27U))
          ->capture_default_str(),
  };
}

ModelConfig ModelOptions::reading_config() const {
  return {.dimension = static_cast<FeatureView::Index>(dimension),
          .label_field =
              label_field == "tag" ? PackagesFormat::LabelField::tag : PackagesFormat::LabelField::section,
          .hashing = {.bits = bits}};
}

std::vector<CLI::Option*> ModelOptions::add_to(CLI::App& command) {
  std::vector<CLI::Option*> options{
      command.add_option("-s,--sampler", sampler, "preset, e.g. sel-p or sel-p:b=0.5 (default: pa-log)")
          ->check(a_name),
      command.add_option("--learner", learner, "learner, e.g. pa-1:C=0.1; see askfew list")->check(a_name),
      command.add_option("--rule", rule, "query rule, e.g. margin:b=0.1")->check(a_name),
      command.add_option("--update", update, "mistake, asked or margin (default: the learner's own)")
          ->check(a_name),
      command.add_option("--seed", seed, "seed of the coins")
          ->transform(CLI::Validator(decimal, ""))
          ->capture_default_str(),
      command.add_option("--positive", positive, "one task: these labels are positive, e.g. 1,4,7")
          ->check(a_name),
      command.add_option("--labels", labels, "one task a label: all, 0-9, or 3,17")->check(a_name),
      command.add_flag("--normalize", normalize, "scale every instance to norm 1"),
  };
  for (CLI::Option* option : add_reading_to(command)) options.push_back(option);
  return options;
}

SamplerConfig ModelOptions::sampler_config() const {
  if (!sampler.empty() && (!learner.empty() || !rule.empty())) {
    throw ConfigError("--sampler names learner and rule already: give it, or --learner and --rule");
  }
  if (learner.empty() != rule.empty()) throw ConfigError("--learner and --rule go together");
  SamplerConfig config;
  if (learner.empty()) {
    config = parse_preset(sampler.empty() ? "pa-log" : sampler);
  } else {
    config.learner = parse_learner(learner);
    config.rule = parse_rule(rule);
    config.update = standard_policy(config.learner);
  }
  if (!update.empty()) config.update = parse_policy(update);
  return config;
}

ModelConfig ModelOptions::config(const DataOptions& data) const {
  ModelConfig config = reading_config();
  config.sampler = sampler_config();
  config.seed = seed;
  config.normalize = normalize;
  if (!positive.empty() && !labels.empty()) throw ConfigError("--positive and --labels exclude each other");
  bool all_labels = labels == "all";
  if (!positive.empty()) {
    config.labels = {LabelPlan::Kind::any_of, split_labels(positive, "--positive")};
  } else if (!labels.empty() && !all_labels) {
    config.labels = {LabelPlan::Kind::one_a_label, split_labels(labels, "--labels")};
  }
  // A pipe can be opened only once, so its format and labels must be told.
  const bool scannable = data.can_be_read_twice();
  const auto skipped = std::make_shared<Skipped>();  // the run tells of them
  if (scannable) {
    const auto stream = data.open(config, skipped);
    config.dimension = std::max(config.dimension, stream->dimension());
    all_labels |= config.labels.names.empty() && stream->label_kind() == LabelKind::topics;
  }
  const bool scan_for_dimension = config.dimension == 0 && needs_dimension(config.sampler);
  if (!all_labels && !scan_for_dimension) return config;
  if (!scannable) {
    throw ConfigError(all_labels ? "a pipe is read only once: name the labels with --labels"
                                 : "a pipe is read only once: give the number of features with --dimension");
  }
  const auto stream = data.open(config, skipped);
  const auto found = scan(*stream);
  if (!found) throw DataError(found.error());
  if (scan_for_dimension) config.dimension = std::max<FeatureView::Index>(1, found->dimension);
  if (all_labels) {
    config.labels.kind = LabelPlan::Kind::one_a_label;
    for (const auto& [id, examples] : found->labels) config.labels.names.push_back(stream->label_name(id));
    if (config.labels.names.empty()) {
      throw DataError({.why = "no example, or none with a label", .file = data.name()});
    }
  }
  return config;
}

}  // namespace askfew::cli
