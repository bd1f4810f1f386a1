// A complete run: any data through a sampler. Two bytes choose preset and options; the rest is the file.

#include <cmath>

#include "askfew/models/run_loop.h"
#include "askfew/streams/open.h"

#include "tests/fuzz/exercise.h"
#include "tests/fuzz/feed.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/memory_file.h"

namespace askfew::fuzz {
namespace {

constexpr FeatureView::Index dimension = 512;

ModelConfig config_of(Feed& feed) {
  const std::vector<PresetEntry>& presets = preset_entries();
  ModelConfig config{.sampler = presets[feed.below(presets.size())].config};
  const std::uint8_t options = feed.byte();
  config.features.normalize = (options & 1) != 0;
  config.features.text.bits = 9;
  config.features.tf_idf = (options & 16) != 0;
  config.features.bias = (options & 64) != 0 ? 1 : 0;
  if ((options & 32) != 0) {
    config.features.text.dictionary = true;
    config.features.text.max_words = dimension;
  }
  config.dimension = dimension + config.constants();
  config.labels.kind = static_cast<LabelPlan::Kind>((options >> 1) % 3);
  if (config.labels.kind != LabelPlan::Kind::plain) config.labels.names = {"1", "3"};
  if ((options & 8) != 0) config.label_field = PackagesFormat::LabelField::tag;
  return config;
}

void check(const ModelConfig& config, const std::string& path) {
  Model model = make_model(config);
  const auto stream = open_stream(path, {.dimension = config.dimension_of_data(),
                                         .label_field = config.label_field,
                                         .features = config.features});
  RunLoopOptions options{.features = &model.features,
                         .unit_norm = learner_info(config.sampler.learner).unit_norm};
  options.trace = [](std::size_t /*task*/, const Round& row) {
    FUZZ_CHECK(row.query.probability >= 0 && row.query.probability <= 1);
    FUZZ_CHECK(std::isfinite(row.query.score.margin));
    FUZZ_CHECK(row.query.asked || !row.updated);
  };
  const auto rounds = run_loop(*stream, config.labels.labelling(*stream), model.tasks, options);
  if (!rounds) {
    FUZZ_CHECK(!rounds.error().why.empty());
    return;
  }
  for (const Task& task : model.tasks) {
    FUZZ_CHECK(task.confusion.rounds() == *rounds);
    FUZZ_CHECK(task.sampler->tally().round == *rounds);
    FUZZ_CHECK(task.sampler->tally().updates <= task.sampler->tally().asked);
    FUZZ_CHECK(task.sampler->tally().asked <= *rounds);
  }
  check_saved(model);
}

}  // namespace

std::vector<std::string> seeds() {
  const std::string plain =
      "+1 1:0.5 3:-2\n-1 2:1 512:3\n+1 1:1\n-1 2:1 3:0.5\n+1 1:1 2:0.25\n-1 3:1\n0\n1 4:9\n1 4:-4000 "
      "5:3000\n-1 1:1\n";
  const std::string topics = "1,3 1:1\n3 2:1\n 1:0.5\n1 3:1 4:2\n1,3 1:1 4:1\n";
  const std::string packages =
      "Package: a\nSection: 1\nTag: 1, 3\nDescription: b c b\n\nPackage: d\nSection: 3\n";
  std::vector<std::string> inputs;
  for (char preset = 0; static_cast<std::size_t>(preset) < preset_entries().size(); ++preset) {
    inputs.push_back(std::string{preset, static_cast<char>(preset % 2)} + plain);
    inputs.push_back(std::string{preset, 1 + 4} + topics);
  }
  inputs.push_back(std::string{0, 1 + 4 + 8} + packages);
  inputs.push_back(std::string{4, 1 + 2} + packages);
  inputs.push_back(std::string{0, 1 + 2 + 16 + 32 + 64} + packages);
  inputs.push_back(std::string{4, 1 + 2 + 32} + packages);
  return inputs;
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew;
  using namespace askfew::fuzz;
  Feed feed(text_of(data, size));
  const ModelConfig config = config_of(feed);
  const MemoryFile file(feed.rest());
  try {
    check(config, file.path());
  } catch (const ConfigError& error) {  // the data does not have the named labels
    FUZZ_CHECK(*error.what() != '\0');
  } catch (const DataError& error) {  // a header
    FUZZ_CHECK(*error.what() != '\0');
  } catch (const NumericError& error) {
    FUZZ_CHECK(*error.what() != '\0');
  }
  return 0;
}
