#include "apps/cli/options/options.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <sys/stat.h>

#include "askfew/config/text.h"
#include "askfew/streams/formats/cache/kept_cache.h"
#include "askfew/streams/formats/idx.h"
#include "askfew/streams/formats/svmlight/svmlight.h"
#include "askfew/streams/formats/synthetic/synthetic.h"
#include "askfew/streams/scan.h"
#include "askfew/system/memory_limit.h"

#include "apps/cli/options/table_options.h"

namespace askfew::cli {
namespace {

std::map<std::string, ReutersOptions::Split> reuters_splits() {
  using Split = ReutersOptions::Split;
  return {{"all", Split::all},
          {"modapte", Split::modapte},
          {"modapte-train", Split::modapte_train},
          {"modapte-test", Split::modapte_test}};
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
          "data files, packed with gzip or zstd or not, read one after the other; - is standard input, "
          "synthetic:NAME:PARAMETER=VALUE,... a stream that is made up, see askfew list")
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
      .add_option("--order", order,
                  "file: as written; time: by the examples' times, all of them read into memory first")
      ->check(CLI::IsMember({"file", "time"}))
      ->capture_default_str();
  command.add_option("--split", split, "of Reuters-21578: which stories to read")
      ->check(CLI::IsMember(reuters_splits()))
      ->capture_default_str();
  command.add_flag("--with-topics", with_topics, "of Reuters-21578: leave out stories without a topic");
  command
      .add_option("--idx-labels", idx_labels,
                  "label file of IDX images (default: the name with 'labels' for 'images')")
      ->check(a_name);
  command
      .add_option("--max-line", max_line,
                  "limit of a line, or of a record of several lines, with its end (default: 16MiB)")
      ->transform(CLI::Validator(size_in_bytes, ""))
      ->type_name("SIZE");
  add_max_memory(command, max_memory);
}

const SharedLimit& DataOptions::memory() const {
  if (memory_ == nullptr) memory_ = std::make_shared<MemoryLimit>(max_memory);
  return memory_;
}

void DataOptions::add_cache_to(CLI::App& command) {
  command.add_flag(
      "--cache", cache,
      "keep the data beside the first file, as FILE.askcache, in a form that is read many times as "
      "fast, and read that as long as it fits");
}

std::unique_ptr<Stream> DataOptions::open(const StreamOptions& options) const {
  if (!cache) return open_stream(paths, options);
  if (on_error == "skip") {
    throw ConfigError(
        "--cache is only for data without errors: askfew convert can leave malformed examples out");
  }
  const KeptCache kept(paths);
  if (!kept.fits(options)) {
    std::cerr << "making " << kept.path() << '\n';
    kept.make(options);
    if (options.stop != nullptr && *options.stop) return open_stream(paths, options);
  }
  StreamOptions of_cache = options;
  of_cache.format = "cache";
  return open_stream(kept.path(), of_cache);
}

std::unique_ptr<Stream> DataOptions::open(const ModelConfig& config, const std::shared_ptr<Skipped>& skipped,
                                          const std::atomic<bool>* stop) const {
  auto stream = open({.format = format,
                      .idx_labels = idx_labels,
                      .dimension = config.dimension_of_data(),
                      .index_base = config.index_base,
                      .table = config.table,
                      .schema = config.schema,
                      .needs_labels = needs_labels,
                      .label_field = config.label_field,
                      .features = config.features,
                      .reuters = {.split = reuters_splits().at(split), .with_topics = with_topics},
                      .order = order == "time" ? Order::time : Order::file,
                      .max_line = max_line,
                      .memory = memory(),
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
    return is_synthetic(path) || (path != "-" && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode));
  });
}

std::vector<FilePlace> DataOptions::inputs() const {
  std::vector<FilePlace> files{{.role = "--idx-labels", .path = idx_labels}};
  for (const std::string& path : paths) {
    if (is_synthetic(path)) continue;
    files.push_back({.role = "DATA", .path = path});
    const std::string beside = idx_labels.empty() ? idx_labels_beside(path) : "";
    if (!beside.empty() && stamp_of(path) && IdxFormat::recognizes(ByteSource(path).peek())) {
      files.push_back({.role = "the label file", .path = beside});
    }
  }
  if (cache) files.push_back({.role = "--cache", .path = KeptCache(paths).path()});
  return files;
}

std::string DataOptions::name() const {
  const std::string first = paths[0] == "-" ? "<stdin>" : paths[0];
  return paths.size() == 1 ? first : fmt::format("{} and {} more", first, paths.size() - 1);
}

std::vector<CLI::Option*> ModelOptions::add_features_to(CLI::App& command) {
  std::vector<CLI::Option*> added = features.add_to(command);
  added.push_back(
      command.add_option("--dimension", dimension, "number of features; larger indices are errors")
          ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{SvmlightFormat::max_features})));
  return added;
}

std::vector<CLI::Option*> ModelOptions::add_formats_to(CLI::App& command) {
  std::vector<CLI::Option*> added{
      command
          .add_option("--index-base", index_base,
                      "of svmlight text: the first index, 0 or 1, or auto: 0 if the first lines have it")
          ->check(CLI::IsMember({"0", "1", "auto"}))
          ->capture_default_str(),
      command.add_option("--label-field", label_field, "of package lists: section or tag")
          ->check(CLI::IsMember({"section", "tag"}))
          ->capture_default_str(),
  };
  for (CLI::Option* option : add_table_options(command, table)) added.push_back(option);
  return added;
}

std::vector<CLI::Option*> ModelOptions::add_reading_to(CLI::App& command) {
  std::vector<CLI::Option*> added = add_features_to(command);
  for (CLI::Option* option : add_formats_to(command)) added.push_back(option);
  return added;
}

std::vector<CLI::Option*> ModelOptions::add_to(CLI::App& command) {
  std::vector<CLI::Option*> added = add_live_to(command);
  for (CLI::Option* option : add_formats_to(command)) added.push_back(option);
  return added;
}

std::vector<CLI::Option*> ModelOptions::add_live_to(CLI::App& command) {
  std::vector<CLI::Option*> added{
      command
          .add_option("-s,--sampler", sampler,
                      "preset, e.g. sel-p or sel-p:b=0.5 (default: pa-log, with --budget auto)")
          ->check(a_name),
      command.add_option("--learner", learner, "learner, e.g. pa-1:C=0.1; see askfew list")->check(a_name),
      command.add_option("--rule", rule, "query rule, e.g. margin:b=0.1")->check(a_name),
      command.add_option("--update", update, "mistake, asked or margin (default: the learner's own)")
          ->check(a_name),
      command.add_option("--seed", seed, "seed of the coins")
          ->transform(CLI::Validator(decimal, ""))
          ->capture_default_str(),
  };
  for (CLI::Option* option : spending.add_to(command)) added.push_back(option);
  for (CLI::Option* option : labels.add_to(command)) added.push_back(option);
  for (CLI::Option* option : add_features_to(command)) added.push_back(option);
  return added;
}

SamplerConfig ModelOptions::sampler_config() const {
  if (!sampler.empty() && (!learner.empty() || !rule.empty())) {
    throw ConfigError("--sampler names learner and rule already: give it, or --learner and --rule");
  }
  if (learner.empty() != rule.empty()) throw ConfigError("--learner and --rule go together");
  SamplerConfig config;
  if (learner.empty()) {
    const std::string_view standard = spending.budget.empty() ? "pa-log" : "auto";
    config = parse_preset(sampler.empty() ? standard : sampler);
  } else {
    config.learner = parse_learner(learner);
    config.rule = parse_rule(rule);
    config.update = standard_policy(config.learner);
  }
  if (!update.empty()) config.update = parse_policy(update);
  return config;
}

FeatureView::Index ModelOptions::fixed_dimension(const ModelConfig& config) const {
  const TextOptions& text = config.features.text;
  if (text.dictionary && dimension != 0) {
    throw ConfigError("--dimension is not for a dictionary: limit it with --most-words");
  }
  std::uint64_t features_of_data = dimension;
  if (text.dictionary && text.is_limited()) features_of_data = text.max_words;
  return features_of_data == 0 ? 0 : static_cast<FeatureView::Index>(features_of_data + config.constants());
}

FeatureView::Index ModelOptions::first_index(const DataOptions& data) const {
  if (index_base != "auto") return index_base == "0" ? 0 : 1;
  if (!data.can_be_read_twice()) {
    throw ConfigError("a pipe is read only once: give the first index with --index-base 0 or 1");
  }
  return std::any_of(data.paths.begin(), data.paths.end(),
                     [](const std::string& path) {
                       return !is_synthetic(path) && has_index_0(ByteSource(path).peek());
                     })
             ? 0
             : 1;
}

std::vector<FilePlace> ModelOptions::inputs(const DataOptions& data) const {
  std::vector<FilePlace> files = data.inputs();
  files.push_back({.role = "--stop-words", .path = features.stop_words_file()});
  return files;
}

ModelConfig ModelOptions::reading_config(const DataOptions& data) const {
  ModelConfig config{.index_base = first_index(data),
                     .label_field = label_field == "tag" ? PackagesFormat::LabelField::tag
                                                         : PackagesFormat::LabelField::section,
                     .features = features.options(),
                     .table = table};
  config.dimension = fixed_dimension(config);
  return config;
}

ModelConfig ModelOptions::config(const DataOptions& data, const std::atomic<bool>* stop) const {
  ModelConfig config = reading_config(data);
  config.sampler = sampler_config();
  config.sampler.spending = spending.spending();
  config.seed = seed;
  config.labels = labels.named();
  bool all_labels = labels.are_to_be_found();
  // A pipe can be opened only once, so its format and labels must be told.
  const bool scannable = data.can_be_read_twice();
  const auto skipped = std::make_shared<Skipped>();  // the run tells of them
  if (scannable) {
    const auto stream = data.open(config, skipped, stop);
    config.dimension = std::max(config.dimension, stream->dimension());
    if (stream->table() != nullptr) config.schema = *stream->table();
    all_labels |= config.labels.names.empty() && stream->label_kind() == LabelKind::topics;
    if (config.labels.names.empty() && stream->label_kind() == LabelKind::one_two) {
      config.labels.kind = LabelPlan::Kind::one_two;
    }
  }
  const bool scan_for_dimension = config.dimension == 0 && needs_dimension(config.sampler);
  LabelBudget& budget = config.sampler.spending.budget;
  const bool scan_for_horizon =
      scannable && budget.horizon == 0 &&
      (budget.kind == LabelBudget::Kind::count || budget.kind == LabelBudget::Kind::share);
  if (!all_labels && !scan_for_dimension && !scan_for_horizon) return config;
  if (scan_for_dimension && config.features.text.dictionary) {
    throw ConfigError("this sampler needs the number of features: limit the dictionary with --most-words");
  }
  if (!scannable) {
    throw ConfigError(all_labels ? "a pipe is read only once: name the labels with --labels"
                                 : "a pipe is read only once: give the number of features with --dimension");
  }
  const auto stream = data.open(config, skipped, stop);
  const auto found = scan(*stream, data.memory());
  if (!found) throw DataError(found.error());
  if (scan_for_dimension)
    config.dimension = std::max<FeatureView::Index>(1 + config.constants(), found->dimension);
  if (scan_for_horizon) {
    budget.horizon = found->examples;
    if (config.dimension == 0 && !config.features.text.dictionary &&
        gains_from_dimension(config.sampler, found->dimension)) {
      config.found_dimension = found->dimension;
    }
  }
  if (all_labels) {
    config.labels = labels.found(*found, *stream);
    if (config.labels.names.empty()) {
      throw DataError({.why = "no example, or none with a label", .file = data.name()});
    }
  }
  return config;
}

}  // namespace askfew::cli
