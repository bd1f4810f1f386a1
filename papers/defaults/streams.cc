#include "papers/defaults/streams.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>

#include "askfew/core/coin.h"
#include "askfew/core/errors.h"
#include "askfew/core/shuffled.h"
#include "askfew/math/elementary.h"

#include "papers/data.h"
#include "papers/datasets.h"

namespace askfew::defaults {
namespace {

namespace fs = std::filesystem;

/// A file of a data set, and how it is read.
struct Source {
  std::string name;
  std::string set;   ///< folder
  std::string file;  ///< in the folder
  bool text = false;
  bool ordered = false;  ///< in the order of time
  StreamOptions options{};
};

std::vector<Source> known_sources() {
  const TableOptions spaced{.header = TableOptions::Header::no, .delimiter = ' ', .label_column = "1"};
  const TableOptions first{.header = TableOptions::Header::no, .label_column = "1"};
  std::vector<Source> all{
      {.name = "a9a", .set = "a9a", .file = "a9a"},
      {.name = "sms_spam", .set = "sms_spam", .file = "SMSSpamCollection", .text = true},
      {.name = "ag_news", .set = "ag_news", .file = "test.csv", .text = true, .options = {.table = first}},
      {.name = "reuters",
       .set = "reuters21578",
       .file = "reuters21578.tar.xz",
       .text = true,
       .ordered = true,
       .options = {.reuters = {.with_topics = true}, .order = Order::time}},
      {.name = "elec2", .set = "elec2", .file = "elecNormNew.arff", .ordered = true},
      {.name = "usenet1", .set = "usenet", .file = "usenet1.arff", .ordered = true},
      {.name = "usenet2", .set = "usenet", .file = "usenet2.arff", .ordered = true},
      {.name = "emailing_list", .set = "emailing_list", .file = "emailing_list.arff", .ordered = true},
      {.name = "outdoor",
       .set = "outdoor",
       .file = "outdoor.csv",
       .ordered = true,
       .options = {.table = {.header = TableOptions::Header::no}}},
      {.name = "mnist", .set = "mnist", .file = "train-images-idx3-ubyte"},
      {.name = "usps", .set = "usps", .file = "zip.train", .options = {.format = "csv", .table = spaced}}};
  for (const std::string table :
       {"car", "credit.g", "hypothyroid", "mushroom", "nursery", "optdigits", "splice", "waveform5000"}) {
    all.push_back({.name = table, .set = "uci", .file = table + ".arff"});
  }
  for (const int subset : {1, 2, 3}) {
    all.push_back({.name = fmt::format("rcv1 {}", subset),
                   .set = "rcv1",
                   .file = fmt::format("rcv1subset{}_top944.svm", subset)});
  }
  return all;
}

/// Files of somebody's own: labels -1 and +1, or two of any names; their order is taken for that of time.
void add_own_files(const std::string& folder, std::vector<Source>& sources) {
  const fs::path own = fs::path(folder) / "streams";
  if (!fs::is_directory(own)) return;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(own)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names)
    sources.push_back({.name = name, .set = "streams", .file = name, .ordered = true});
}

/// The labels that are tasks: of two the rarer one; of more the most frequent one, and the rarest one that at
/// least 2% of the examples have.
std::vector<std::size_t> chosen_labels(const Dataset& data) {
  std::vector<std::pair<std::size_t, std::size_t>> found;  // how often, which
  for (std::size_t task = 0; task < data.tasks(); ++task) {
    const std::size_t positives = data.positives(task);
    if (50 * positives >= data.size() && positives < data.size()) found.emplace_back(positives, task);
  }
  std::sort(found.begin(), found.end());
  if (found.empty()) return {};
  if (found.size() == 1 || data.tasks() == 2) return {found.front().second};
  return {found.back().second, found.front().second};
}

class Reader {
 public:
  explicit Reader(const ExperimentContext& context) : context_(context), most_(context.quick ? 600 : 4000) {}

  void add(const Source& source, std::vector<Variant>& variants) const {
    const auto plain = read(source, {});
    const bool one_file =
        source.set == "uci" || source.set == "streams";  // of sets that have nothing in common
    const auto put = [&](std::string name, std::shared_ptr<const Dataset> data) -> Variant& {
      return variants.emplace_back(Variant{.set = source.name,
                                           .family = one_file ? source.name : source.set,
                                           .name = std::move(name),
                                           .data = std::move(data),
                                           .ordered = source.ordered,
                                           .rounds = std::min(most_, plain->size())});
    };
    put(std::string(as_read), plain);
    if (source.text) {
      put("counts", read(source, {.text = {.tf = TermWeight::count}}));
      put(std::string(text_with_tf_idf), read(source, {.tf_idf = true, .normalize = true}));
      put("character 3-5-grams", read(source, {.text = {.ngrams = {}, .char_ngrams = {3, 5}}}));
      put("character 3-5-grams, tf-idf, unit norms",
          read(source, {.text = {.ngrams = {}, .char_ngrams = {3, 5}}, .tf_idf = true, .normalize = true}));
    } else {
      put("unit norms", read(source, {.normalize = true}));
      put("a column of identifiers", std::make_shared<Dataset>(plain->with_identifiers()));
    }
    put("scales from 0.001 to 1,000", std::make_shared<Dataset>(with_wild_scales(*plain)));
    put("classes exchanged", std::make_shared<Dataset>(flipped(*plain)));
    put("every second row twice", plain).duplicated = true;
    if (source.ordered) put("shuffled", plain).ordered = false;
    Variant& start = put("first half", plain);
    start.rounds /= 2;
  }

 private:
  [[nodiscard]] std::shared_ptr<const Dataset> read(const Source& source, FeatureOptions features) const {
    StreamOptions options = source.options;
    options.features = std::move(features);
    options.threads = context_.jobs.threads;
    // What is shuffled is cut later, so that a file that is sorted by its labels keeps all of them.
    const std::size_t most = source.ordered ? most_ : 3 * most_ + 2000;
    const std::string path = source.set == "streams"
                                 ? (fs::path(context_.data) / source.set / source.file).string()
                                 : path_of(context_.data, source.set, source.file);
    const std::vector<std::string> paths =
        source.set == "reuters21578" ? unpacked_reuters(context_) : std::vector<std::string>{path};
    const Dataset all = read_labels(paths, options, 20, most).data;
    const std::vector<std::size_t> tasks = chosen_labels(all);
    if (tasks.empty())
      throw DataError({.why = "no label that at least 2% of the examples have", .file = path});
    return std::make_shared<Dataset>(
        all.selected(all.size(), tasks.size(), [&](std::size_t row, std::span<Label> labels) {
          for (std::size_t k = 0; k < tasks.size(); ++k) labels[k] = all.label(row, tasks[k]);
          return true;
        }));
  }

  const ExperimentContext& context_;
  std::size_t most_;
};

}  // namespace

std::vector<std::uint32_t> Variant::rows(std::uint64_t seed, std::uint64_t run) const {
  std::vector<std::uint32_t> order = ordered ? in_order(data->size()) : shuffled(data->size(), seed, run);
  if (duplicated) {
    std::vector<std::uint32_t> twice;
    for (std::size_t k = 0; k < order.size(); ++k) twice.insert(twice.end(), 1 + k % 2, order[k]);
    order = std::move(twice);
  }
  order.resize(std::min(order.size(), rounds));
  return order;
}

std::vector<Variant> all_variants(const ExperimentContext& context, std::string& missing) {
  std::vector<Source> sources = known_sources();
  add_own_files(context.data, sources);
  const Reader reader(context);
  std::vector<Variant> variants;
  for (const Source& source : sources) {
    try {
      reader.add(source, variants);
    } catch (const FileError& error) {
      missing += fmt::format("{}{}", missing.empty() ? "" : "; ", error.what());
    }
  }
  return variants;
}

Dataset with_wild_scales(const Dataset& data) {
  Coin coin({.seed = 77}, CoinPurpose::shuffle);
  return data.scaled([&](FeatureView::Index feature) {
    return math::exp(math::log(10.0) * (6 * coin(std::uint64_t{feature} + 1) - 3));
  });
}

Dataset flipped(const Dataset& data) {
  return data.selected(data.size(), data.tasks(), [&](std::size_t row, std::span<Label> labels) {
    for (std::size_t task = 0; task < labels.size(); ++task) {
      labels[task] = data.label(row, task) == Label::positive ? Label::negative : Label::positive;
    }
    return true;
  });
}

}  // namespace askfew::defaults
