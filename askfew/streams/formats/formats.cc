#include "askfew/streams/formats/formats.h"

#include <algorithm>
#include <array>

#include "askfew/streams/formats/cache/open_cache.h"
#include "askfew/streams/formats/common/integer_labels.h"
#include "askfew/streams/formats/idx.h"
#include "askfew/streams/formats/json/jsonl.h"
#include "askfew/streams/formats/svmlight/svmlight.h"
#include "askfew/streams/formats/tables/arff.h"
#include "askfew/streams/formats/tables/csv.h"
#include "askfew/streams/formats/tables/table_row.h"
#include "askfew/streams/formats/tables/tsv.h"
#include "askfew/streams/formats/vw/vw.h"
#include "askfew/streams/reading.h"

namespace askfew {
namespace {

std::unique_ptr<Format> open_svmlight(const Opening& file) {
  return std::make_unique<SvmlightFormat>(
      file.source, SvmlightIndices{.base = file.options.index_base, .dimension = file.options.dimension});
}

std::string idx_labels_of(const std::string& images, const StreamOptions& options) {
  return options.idx_labels.empty() ? idx_labels_beside(images) : options.idx_labels;
}

std::unique_ptr<Format> open_idx(const Opening& file) {
  const std::string path = idx_labels_of(file.path, file.options);
  if (path.empty()) {
    throw ConfigError(file.source.name() + ": the name tells no label file, give it with `idx_labels`");
  }
  ByteSource labels(path, file.options.stop, file.source.limits());
  return std::make_unique<IdxFormat>(file.source, labels);
}

std::unique_ptr<Format> open_packages(const Opening& file) {
  return std::make_unique<PackagesFormat>(file.options.label_field, file.options.features.text, file.labels);
}

TableOpening table_of(const StreamOptions& options) {
  return {.told = options.table,
          .schema = options.schema ? &*options.schema : nullptr,
          .text = options.features.text,
          .unlabelled = options.unlabelled};
}

std::unique_ptr<Format> open_csv(const Opening& file) {
  return std::make_unique<CsvFormat>(file.source, table_of(file.options), file.labels);
}

std::unique_ptr<Format> open_arff(const Opening& file) {
  return std::make_unique<ArffFormat>(file.source, table_of(file.options), file.labels);
}

std::unique_ptr<Format> open_tsv(const Opening& file) {
  return std::make_unique<TsvFormat>(file.source, file.options.features.text, file.options.unlabelled,
                                     file.labels);
}

std::unique_ptr<Format> open_jsonl(const Opening& file) {
  return std::make_unique<JsonlFormat>(file.source,
                                       JsonlFormat::Options{.dimension = file.options.dimension,
                                                            .text = file.options.features.text,
                                                            .keys = file.options.table,
                                                            .unlabelled = file.options.unlabelled},
                                       file.labels);
}

std::unique_ptr<Format> open_reuters(const Opening& file) {
  return std::make_unique<ReutersFormat>(file.options.reuters, file.options.features.text, file.labels);
}

std::unique_ptr<Format> open_vw(const Opening& file) {
  return std::make_unique<VwFormat>(file.source, file.options.features.text);
}

bool no_name(std::string_view /*path*/) {
  return false;
}

std::string nothing(const std::string& /*path*/, const StreamOptions& /*options*/) {
  return "";
}

using Names = std::shared_ptr<LabelNames>;

Examples::LabelId integer(std::string_view name, const Names& /*names*/) {
  return integer_label(name);
}
Examples::LabelId digit(std::string_view name, const Names& /*names*/) {
  return IdxFormat::label_number(name);
}
Examples::LabelId number_or_text(std::string_view name, const Names& names) {
  return MixedLabels(names).id(name);
}
Examples::LabelId of_table(std::string_view name, const Names& names) {
  return label_number(name, MixedLabels(names));
}

using Csv = CsvFormat;
using Arff = ArffFormat;

constexpr std::array table{
    FormatEntry{"cache", CacheFormat::recognizes, open_cache, no_name, reading_of_cache, nothing,
                number_or_text},
    FormatEntry{"idx", IdxFormat::recognizes, open_idx, no_name, reading_of_idx, idx_labels_of, digit},
    FormatEntry{"packages", PackagesFormat::recognizes, open_packages, no_name, reading_of_packages, nothing,
                number_or_text},
    FormatEntry{"jsonl", JsonlFormat::recognizes, open_jsonl, no_name, reading_of_json, nothing,
                number_or_text},
    FormatEntry{"reuters", ReutersFormat::recognizes, open_reuters, no_name, reading_of_reuters, nothing,
                number_or_text},
    FormatEntry{"vw", VwFormat::recognizes, open_vw, no_name, reading_of_text, nothing, integer},
    FormatEntry{"arff", Arff::recognizes, open_arff, Arff::recognizes_name, reading_of_table, nothing,
                of_table},
    FormatEntry{"tsv", TsvFormat::recognizes, open_tsv, no_name, reading_of_tsv, nothing, of_table},
    FormatEntry{"csv", Csv::recognizes, open_csv, Csv::recognizes_name, reading_of_table, nothing, of_table},
    FormatEntry{"svmlight", [](std::string_view) { return true; }, open_svmlight, no_name,
                reading_of_svmlight, nothing, integer},
};

}  // namespace

std::span<const FormatEntry> all_formats() {
  return table;
}

const FormatEntry* find_format(std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace askfew
