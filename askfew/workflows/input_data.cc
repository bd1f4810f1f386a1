#include "askfew/workflows/input_data.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/streams/byte_source.h"
#include "askfew/streams/formats/cache/kept_cache.h"
#include "askfew/streams/formats/synthetic/synthetic.h"
#include "askfew/streams/formats/tables/table_guess.h"
#include "askfew/streams/formats/tables/table_opening.h"
#include "askfew/streams/ordered_stream.h"
#include "askfew/system/memory_limit.h"
#include "askfew/workflows/choice.h"
#include "askfew/workflows/input_kind.h"
#include "askfew/workflows/pool_stream.h"
#include "askfew/workflows/watched_stream.h"

namespace askfew {
namespace {

/// Are these files so small that their examples are better read once and kept?
bool are_small(const std::vector<std::string>& paths) {
  constexpr std::uintmax_t most = 1 << 20;
  std::uintmax_t bytes = 0;
  for (const std::string& path : paths) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) return false;
    bytes += size;
  }
  return bytes <= most;
}

ReutersOptions::Split split_of(const std::string& text) {
  using Split = ReutersOptions::Split;
  return choice<Split>("split", text,
                       {{"all", Split::all},
                        {"modapte", Split::modapte},
                        {"modapte-train", Split::modapte_train},
                        {"modapte-test", Split::modapte_test}});
}

Order order_of(const std::string& text) {
  return choice<Order>("order", text,
                       {{"file", Order::file}, {"time", Order::time}, {"random", Order::random}});
}

/// Does a model of text get a table with one column of text? Then it reads that column. A table without a
/// label has its text in the column that was taken for the label, because that column is the last one.
bool is_text_in_a_table(const ModelConfig& config, const Stream& stream) {
  const std::shared_ptr<const TableSchema>& table = stream.facts().table;
  if (config.input != InputKind::text || config.schema || table == nullptr) return false;
  const auto texts = std::ranges::count(table->columns, ColumnKind::text, &TableColumn::kind);
  const auto label = std::ranges::find(table->columns, ColumnKind::label, &TableColumn::kind);
  const bool has_label = label != table->columns.end() && is_usual_label_name(label->name);
  return texts == 1 || (texts == 0 && !has_label);
}

/// The columns that a model reads: "text 'body', label 'kind'".
std::string columns_in_words(const TableSchema& schema) {
  constexpr std::size_t most = 8;
  std::vector<std::string> columns;
  for (const auto& [name, kind, values] : schema.columns) {
    if (kind != ColumnKind::ignored) columns.push_back(fmt::format("{} {}", text_of(kind), in_quotes(name)));
  }
  const std::size_t more = columns.size() - std::min(most, columns.size());
  columns.resize(columns.size() - more);
  return fmt::format("{}{}", fmt::join(columns, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace

InputData::InputData(const DataOptions& options, const Hooks& hooks)
    : options_(options),
      hooks_(hooks),
      split_(split_of(options.split)),
      order_(order_of(options.order)),
      memory_(std::make_shared<MemoryLimit>(options.max_memory)),
      skipped_(std::make_shared<Skipped>()) {
  if (options.paths.empty() && options.memory == nullptr) throw ConfigError("no data: `paths` is empty");
  if (!options.paths.empty() && options.memory != nullptr) {
    throw ConfigError("the data is in files (`paths`) or in memory, not in both");
  }
  if (std::ranges::find(options.paths, "%") != options.paths.end() && !std::filesystem::exists("%")) {
    throw ConfigError("`paths` '%' is not a file: a share has no blank before its sign, as in `budget` 5%");
  }
  for (const std::string& path : options.paths) {
    // Word processors make one long dash of two hyphens.
    const bool has_dash = path.starts_with("\u2014") || path.starts_with("\u2013");
    if (has_dash && !std::filesystem::exists(path))
      throw ConfigError(fmt::format("{} is not a file: options begin with two hyphens", in_quotes(path)));
  }
  if (std::ranges::count(options.paths, "-") > 1) {
    throw ConfigError("`paths` has '-' twice, and standard input can be read only once");
  }
  choice<bool>("on_error", options.on_error, {{"stop", false}, {"skip", true}});
  choice<bool>("unlabelled", options.unlabelled, {{"refuse", false}, {"skip", true}});
}

std::unique_ptr<Stream> InputData::open(const StreamOptions& options) const {
  if (options_.memory != nullptr) {
    return in_that_order(std::make_unique<MemoryStream>(options_.memory, options), options);
  }
  if (!options_.cache) return open_stream(options_.paths, options);
  if (options.skipped != nullptr) {
    throw ConfigError(
        "`cache` is only for data without errors: askfew convert can leave malformed examples out");
  }
  const KeptCache kept(options_.paths);
  if (!kept.fits(options)) {
    if (hooks_.begins) hooks_.begins("making " + kept.path());
    kept.make(options);
    if (hooks_.stopped()) return open_stream(options_.paths, options);
  }
  StreamOptions of_cache = options;
  of_cache.format = "cache";
  return open_stream(kept.path(), of_cache);
}

std::unique_ptr<Stream> InputData::open_for(const ModelConfig& config, const std::string& model,
                                            const StreamOptions& options) const {
  try {
    return open(options);
  } catch (const OtherColumns& other) {
    if (model.empty() || !config.schema) throw;
    ParseError error = other.error();
    error.why += fmt::format("; {} was trained on a table: {}", model, columns_in_words(*config.schema));
    throw DataError(error);
  }
}

StreamOptions InputData::options_for(const ModelConfig& config, Labels labels) const {
  TableOptions table = config.table;
  table.may_lack_label = labels == Labels::not_needed;
  return {.format = options_.format,
          .idx_labels = options_.idx_labels,
          .dimension = config.dimension_of_data(),
          .index_base = config.index_base,
          .table = std::move(table),
          .schema = config.schema,
          .unlabelled = labels == Labels::not_needed    ? Unlabelled::accepted
                        : options_.unlabelled == "skip" ? Unlabelled::skipped
                                                        : Unlabelled::malformed,
          .label_field = config.label_field,
          .features = config.features,
          .reuters = {.split = split_, .with_topics = options_.with_topics},
          .order = order_,
          .order_seed = config.seed,
          .max_line = options_.max_line,
          .memory = memory_,
          .threads = options_.threads,
          .skipped = shared_skipped(),
          .stop = hooks_.stop};
}

std::unique_ptr<Stream> InputData::open(const ModelConfig& config, Labels labels, const std::string& model) {
  skipped_ = std::make_shared<Skipped>();
  auto stream = open_for(config, model, options_for(config, labels));
  if (!model.empty() && is_text_in_a_table(config, *stream) && can_be_read_twice()) {
    using Needed = PoolStream::Labels;
    stream = std::make_unique<PoolStream>(options_.paths, config,
                                          labels == Labels::needed ? Needed::needed : Needed::not_needed,
                                          shared_skipped());
  }
  if (!model.empty()) {
    expect_used(options_, {}, *stream);
    expect_input_of(config, *stream, options_.memory != nullptr ? "the model" : model);
  }
  const FeatureView::Index features = stream->facts().dimension;
  if (config.dimension != 0 && features > config.dimension) {
    throw ConfigError(fmt::format("{}: instances of {} features, more than the dimension {}", name(),
                                  features, config.dimension));
  }
  const bool lacks_columns =
      options_.memory != nullptr && !model.empty() && features != 0 && features < config.dimension;
  if (lacks_columns) {
    const FeatureView::Index constants = config.constants();
    throw ConfigError(
        fmt::format("{}: instances of {} features, fewer than the {} of the model: give all columns", name(),
                    features - constants, config.dimension - constants));
  }
  seen_ = nullptr;
  if (labels == Labels::needed && !config.labels.names.empty()) {
    try {
      seen_ = std::make_shared<SeenLabels>(config.labels, *stream);
    } catch (const ConfigError& error) {
      const std::vector<Origin>& origins = stream->facts().origins;
      const std::string format = origins.empty() ? "" : origins[0].format;
      throw ConfigError(
          fmt::format("{}{}: {}", name(), format.empty() ? "" : ", read as " + format, error.what()));
    }
  }
  ids_ = watches_ids_ || !config.table.id_column.empty() ? std::make_shared<SeenIds>() : nullptr;
  sorted_ = watches_order_ && order_ == Order::file ? std::make_shared<SortedLabels>() : nullptr;
  examples_ = std::make_shared<SeenExamples>(labels == Labels::needed &&
                                             config.labels.kind == LabelPlan::Kind::plain);
  return std::make_unique<WatchedStream>(
      std::move(stream), shared_skipped(),
      Watchers{.examples = examples_, .labels = seen_, .ids = ids_, .sorted = sorted_});
}

std::optional<std::uint64_t> InputData::count(const ModelConfig& config) const {
  if (options_.memory != nullptr) return options_.memory->rows->size();
  if (options_.cache || are_small(options_.paths)) return std::nullopt;
  return count_examples(options_.paths, options_for(config, Labels::needed));
}

void InputData::note_found_labels(const std::vector<std::string>& labels) {
  found_labels_doubt_ = doubt_about_found(labels);
  if (examples_ != nullptr) examples_->take_labels_for_names();
}

void InputData::expect_labels() const {
  const std::string complaint = seen_ == nullptr ? "" : seen_->complaint();
  if (!complaint.empty() && can_be_read_twice() && seen_->is_empty()) throw no_example();
  if (!complaint.empty() && can_be_read_twice()) throw ConfigError(fmt::format("{}: {}", name(), complaint));
}

std::vector<std::string> InputData::check(const Stream& stream, bool is_whole) const {
  if (is_whole) expect_labels();
  std::vector<std::string> sentences = stream.notes();
  if (ids_ != nullptr) sentences.push_back(ids_->doubt());
  std::vector<std::string> of_all =
      examples_ == nullptr || !is_whole ? std::vector<std::string>{} : examples_->doubts();
  of_all.push_back(found_labels_doubt_);
  if (seen_ != nullptr) {
    for (std::string& doubt : seen_->doubts()) of_all.push_back(std::move(doubt));
    if (is_whole) of_all.push_back(seen_->complaint());
  }
  if (sorted_ != nullptr) of_all.push_back(sorted_->doubt(stream));
  for (const std::string& sentence : of_all) {
    if (!sentence.empty()) sentences.push_back(fmt::format("{}: {}", name(), sentence));
  }
  std::erase(sentences, "");
  if (hooks_.doubt) std::ranges::for_each(sentences, hooks_.doubt);
  return sentences;
}

void InputData::expect_files() const {
  for (const std::string& path : options_.paths) {
    const bool may_be_data = std::filesystem::exists(path) && !std::filesystem::is_directory(path);
    if (path == "-" || is_synthetic(path) || may_be_data) continue;
    const ByteSource opened(path);  // throws, and says why
  }
}

bool InputData::can_be_read_twice() const {
  return std::all_of(options_.paths.begin(), options_.paths.end(), [](const std::string& path) {
    struct stat status {};
    return is_synthetic(path) || (path != "-" && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode));
  });
}

std::string InputData::name() const {
  if (options_.memory != nullptr) return "X";
  const std::string first = options_.paths[0] == "-" ? "<stdin>" : options_.paths[0];
  return options_.paths.size() == 1 ? first : fmt::format("{} and {} more", first, options_.paths.size() - 1);
}

}  // namespace askfew
