// Measures the time of many topics in one pass, as ratios to one topic and to one run per topic, over the
// same text in memory in the same run, and of runs that also parse the text from a file, with one thread. A
// document has about four of 103 topics; the most frequent topic is in 47% of the documents, the k-th in
// 47%/k^0.8.
//
// It also prints what the memory allows: a loop that touches every cache line of the weights that the dot
// products need, in the same order, and computes nothing; without and with requests in advance.
//
// bench_topics [SAMPLER...]: presets, by default pa-log and sel-p.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fmt/core.h>
#include <random>
#include <string>
#include <vector>

#include "askfew/core/new_features.h"
#include "askfew/linalg/aligned.h"
#include "askfew/models/model.h"
#include "askfew/models/run_loop.h"
#include "askfew/streams/open.h"
#include "askfew/system/temporary_file.h"

#include "bench/measure.h"
#include "bench/text_stream.h"

namespace askfew {
namespace {

constexpr std::size_t rows = 40'000;
constexpr std::size_t topics = 103;
constexpr int repetitions = 5;

/// The topics of every document come from linear teachers with the given frequencies; 2% of the labels are
/// wrong.
std::vector<std::vector<Examples::LabelId>> topics_of(const Examples& examples) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<std::vector<Examples::LabelId>> labels(examples.size());
  std::vector<double> teacher(bench::text_dimension);
  std::vector<double> scores(examples.size());
  for (std::size_t topic = 0; topic < topics; ++topic) {
    for (double& u : teacher) u = normal(random);
    for (std::size_t row = 0; row < examples.size(); ++row) {
      scores[row] = 0;
      examples.x(row).for_each([&](FeatureView::Index i, double v) { scores[row] += teacher[i] * v; });
    }
    const double share = 0.47 / std::pow(static_cast<double>(topic + 1), 0.8);
    std::vector<double> sorted = scores;
    const auto at =
        sorted.begin() + static_cast<std::ptrdiff_t>((1 - share) * static_cast<double>(sorted.size()));
    std::nth_element(sorted.begin(), at, sorted.end());
    for (std::size_t row = 0; row < examples.size(); ++row) {
      const bool turned = uniform(random) < 0.02 * share;
      if ((scores[row] > *at) != turned) labels[row].push_back(static_cast<Examples::LabelId>(topic));
    }
  }
  return labels;
}

/// Blocks of labelled text, as a file gives them.
std::vector<Examples> make_blocks() {
  const bench::Data data = bench::text_stream(rows);
  const auto labels = topics_of(data.examples);
  constexpr std::size_t block_size = 1000;
  std::vector<Examples> blocks((rows + block_size - 1) / block_size);
  for (std::size_t row = 0; row < rows; ++row) {
    Examples& block = blocks[row / block_size];
    block.begin(row + 1);
    for (const Examples::LabelId label : labels[row]) block.add_label(label);
    data.examples.x(row).for_each([&](FeatureView::Index i, double v) { block.add_feature(i, v); });
    block.end_sparse();
  }
  return blocks;
}

class MemoryStream final : public Stream {
 public:
  explicit MemoryStream(const std::vector<Examples>& blocks) : blocks_(blocks) {
    set_facts({.label_kind = LabelKind::topics});
  }

  tl::expected<bool, ParseError> next(Examples& block) override {
    if (next_ == blocks_.size()) return false;
    block = blocks_[next_++];
    return true;
  }
  [[nodiscard]] std::string name() const override { return "memory"; }
  Examples::LabelId label_id(std::string_view name) override { return std::stoi(std::string(name)); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return std::to_string(id); }

 private:
  const std::vector<Examples>& blocks_;
  std::size_t next_ = 0;
};

struct Result {
  double seconds = 0;
  std::uint64_t mistakes = 0;
  std::uint64_t updates = 0;
};

/// One pass over the data with the topics [first, first + count).
Result pass(const std::vector<Examples>& blocks, const std::string& sampler, std::size_t first,
            std::size_t count) {
  ModelConfig config{
      .sampler = parse_preset(sampler), .seed = 1, .labels = {LabelPlan::Kind::one_per_label, {}}};
  for (std::size_t k = 0; k < count; ++k) config.labels.names.push_back(std::to_string(first + k));
  MemoryStream stream(blocks);
  const Labelling labelling = config.labels.labelling(stream);
  std::vector<Task> tasks = make_tasks(config);
  Result result;
  result.seconds = bench::seconds_of([&] { run_loop(stream, labelling, tasks, {}).value(); });
  for (const Task& task : tasks) {
    result.mistakes += task.confusion.mistakes();
    result.updates += task.sampler->tally().updates;
  }
  return result;
}

/// The documents as svmlight text with values of six decimals.
std::string svmlight_text(const std::vector<Examples>& blocks) {
  std::string text;
  for (const Examples& block : blocks) {
    for (std::size_t row = 0; row < block.size(); ++row) {
      text += "103";  // a label of no topic
      for (const Examples::LabelId label : block.labels(row)) text += fmt::format(",{}", label);
      block.x(row).for_each(
          [&](FeatureView::Index i, double v) { text += fmt::format(" {}:{:.6f}", i + 1, v); });
      text += '\n';
    }
  }
  return text;
}

/// The processor time of all threads of a pass that parses the file, with this number of topics.
double parsed_pass(const std::string& path, const std::string& sampler, std::size_t count) {
  ModelConfig config{
      .sampler = parse_preset(sampler), .seed = 1, .labels = {LabelPlan::Kind::one_per_label, {}}};
  for (std::size_t k = 0; k < count; ++k) config.labels.names.push_back(std::to_string(k));
  const std::clock_t begin = std::clock();
  const auto stream = open_stream(path, {});
  const Labelling labelling = config.labels.labelling(*stream);
  std::vector<Task> tasks = make_tasks(config);
  run_loop(*stream, labelling, tasks, {}).value();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Touches every cache line of the weights of all topics, group by group as a run does, in batches of so many
/// rounds. `ahead`: requests the weights of new features so many rows ahead; 0: requests nothing.
double touch(const std::vector<Examples>& blocks, std::size_t ahead) {
  constexpr std::size_t group = 56;
  constexpr std::size_t batch = 512;
  constexpr std::size_t line = 64 / sizeof(std::uint64_t);
  // Whole numbers: one addition need not wait long for the one before.
  std::vector<AlignedVector<std::uint64_t>> weights(
      (topics + group - 1) / group, AlignedVector<std::uint64_t>(bench::text_dimension * group, 1));
  std::uint64_t sum = 0;
  NewFeatures new_features;
  std::vector<FeatureView> rows_of_batch;
  const double seconds = bench::seconds_of([&] {
    for (const Examples& block : blocks) {
      for (std::size_t first = 0; first < block.size(); first += batch) {
        rows_of_batch.clear();
        for (std::size_t row = first; row < std::min(first + batch, block.size()); ++row)
          rows_of_batch.push_back(block.x(row));
        if (ahead > 0) new_features.find(rows_of_batch);
        for (const AlignedVector<std::uint64_t>& w : weights) {
          for (std::size_t row = 0; row < rows_of_batch.size(); ++row) {
            const FeatureView& x = rows_of_batch[row];
            for (const FeatureView::Index i : new_features.of(row + ahead, row + ahead + 1)) {
              for (std::size_t j = 0; j < group; j += line)
                __builtin_prefetch(w.data() + std::size_t{i} * group + j, 0, 2);
            }
            for (std::size_t k = 0; k < x.size(); ++k) {
              const std::uint64_t* at = w.data() + std::size_t{x.indices()[k]} * group;
              for (std::size_t j = 0; j < group; j += line) sum += at[j];
            }
          }
        }
      }
    }
  });
  if (sum == 0) std::printf("WRONG ANSWER\n");
  return seconds;
}

void print_limit(const std::vector<Examples>& blocks) {
  std::size_t features = 0;
  for (const Examples& block : blocks) {
    for (std::size_t row = 0; row < block.size(); ++row) features += block.x(row).size();
  }
  std::vector<double> plain;
  std::vector<double> ahead;
  for (int k = 0; k < repetitions; ++k) {
    plain.push_back(touch(blocks, 0));
    ahead.push_back(touch(blocks, 2));  // as a run
  }
  const double bytes = static_cast<double>(features) * topics * sizeof(double);
  const double time = bench::median(ahead);
  std::printf(
      "weights  %.0f bytes per round and topic; to touch their cache lines takes %.1f ns, and %.1f ns (%.1f "
      "GB/s) with requests in advance\n",
      bytes / (rows * topics), 1e9 * bench::median(plain) / (rows * topics), 1e9 * time / (rows * topics),
      1e-9 * bytes / time);
}

void measure(const std::vector<Examples>& blocks, const std::string& sampler) {
  std::vector<double> one;
  std::vector<double> against_one;
  std::vector<double> against_apart;
  Result together;
  for (int k = 0; k < repetitions; ++k) {
    one.push_back(pass(blocks, sampler, 0, 1).seconds);
    together = pass(blocks, sampler, 0, topics);
    double apart = 0;
    for (std::size_t topic = 0; topic < topics; ++topic) apart += pass(blocks, sampler, topic, 1).seconds;
    against_one.push_back(together.seconds / one.back());
    against_apart.push_back(apart / together.seconds);
  }
  const double round = 1e9 * bench::median(one) / static_cast<double>(rows);
  const double in_group = round * bench::median(against_one) / static_cast<double>(topics);
  std::printf(
      "%-8s one topic %4.0f ns per round; %zu together %4.1f ns per round and topic, %5.1f times one, %4.1f "
      "times faster than one after the other; updates %.4f per round, mistakes %.4f\n",
      sampler.c_str(), round, topics, in_group, bench::median(against_one), bench::median(against_apart),
      static_cast<double>(together.updates) / (rows * topics),
      static_cast<double>(together.mistakes) / (rows * topics));
}

void measure_with_parse(const std::string& path, const std::string& sampler) {
  std::vector<double> one;
  std::vector<double> against_one;
  for (int k = 0; k < repetitions; ++k) {
    one.push_back(parsed_pass(path, sampler, 1));
    against_one.push_back(parsed_pass(path, sampler, topics) / one.back());
  }
  std::printf("%-8s with the parse: one topic %4.0f ns per round; %zu together %4.1f times one\n",
              sampler.c_str(), 1e9 * bench::median(one) / static_cast<double>(rows), topics,
              bench::median(against_one));
}

}  // namespace
}  // namespace askfew

int main(int argc, char** argv) {
  const std::vector<askfew::Examples> blocks = askfew::make_blocks();
  std::vector<std::string> samplers(argv + 1, argv + argc);
  if (samplers.empty()) samplers = {"pa-log", "sel-p"};
  askfew::print_limit(blocks);
  const askfew::TemporaryFile file(askfew::svmlight_text(blocks), "topics.svm");
  for (const std::string& sampler : samplers) {
    askfew::measure(blocks, sampler);
    askfew::measure_with_parse(file.path(), sampler);
  }
  return 0;
}
