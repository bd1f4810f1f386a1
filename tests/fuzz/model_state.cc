// States of every learner and rule with edited tensors: sizes that do not match, numbers that no run could
// produce. A loader refuses such a state, or the loaded model is safe to use.

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "askfew/models/model_file.h"

#include "tests/fuzz/exercise.h"
#include "tests/fuzz/feed.h"
#include "tests/fuzz/harness.h"

namespace askfew::fuzz {
namespace {

constexpr auto largest = std::numeric_limits<double>::max();
constexpr auto nan = std::numeric_limits<double>::quiet_NaN();

/// Eight bytes that are an extreme F64, U64 or pair of U32.
std::uint64_t tempting(Feed& feed) {
  static const std::vector<std::uint64_t> words{0,
                                                1,
                                                2,
                                                0xffffffff,
                                                0x100000000,
                                                0xffffffff00000000,
                                                0x20000000000001,
                                                ~std::uint64_t{0},
                                                ~std::uint64_t{0} - 8,
                                                std::bit_cast<std::uint64_t>(-0.0),
                                                std::bit_cast<std::uint64_t>(1.0),
                                                std::bit_cast<std::uint64_t>(-1.0),
                                                std::bit_cast<std::uint64_t>(0x1.0p-301),
                                                std::bit_cast<std::uint64_t>(1e200),
                                                std::bit_cast<std::uint64_t>(-largest),
                                                std::bit_cast<std::uint64_t>(largest),
                                                std::bit_cast<std::uint64_t>(infinity),
                                                std::bit_cast<std::uint64_t>(-infinity),
                                                std::bit_cast<std::uint64_t>(nan)};
  return words[feed.below(words.size())];
}

std::size_t element_size(const std::string& dtype) {
  return dtype == "U8" ? 1 : dtype == "U32" ? 4 : sizeof(std::uint64_t);
}

void edit(Snapshot& snapshot, Feed& feed) {
  if (snapshot.tensors.empty()) return;
  const auto entry =
      std::next(snapshot.tensors.begin(), static_cast<std::ptrdiff_t>(feed.below(snapshot.tensors.size())));
  Snapshot::Tensor& tensor = entry->second;
  const std::size_t width = element_size(tensor.dtype);
  switch (feed.below(8)) {
    case 0:
      snapshot.tensors.erase(entry);
      break;
    case 1: {
      static const std::vector<std::string> dtypes{"F64", "U64", "U32", "U8", "F32"};
      tensor.dtype = dtypes[feed.below(dtypes.size())];
      break;
    }
    case 2:
    case 3: {  // another length, if the tensor has one
      if (tensor.shape.size() != 1) break;
      tensor.shape[0] = feed.below(40);
      tensor.bytes.resize(tensor.shape[0] * width);
      break;
    }
    default: {  // another number
      if (tensor.bytes.size() < width) break;
      const std::uint64_t word = tempting(feed);
      const std::size_t at = feed.below(256) % (tensor.bytes.size() / width) * width;
      std::memcpy(tensor.bytes.data() + at, &word, width);
    }
  }
}

ModelConfig config_of(Feed& feed) {
  const std::vector<LearnerEntry>& learners = learner_entries();
  const std::vector<RuleEntry>& rules = rule_entries();
  const auto any_of = [&](const std::vector<std::string>& specs) { return specs[feed.below(specs.size())]; };
  const std::string learner = any_of(learners[feed.below(learners.size())].test_specs);
  const std::string rule = any_of(rules[feed.below(rules.size())].test_specs);
  ModelConfig config{.sampler = {.learner = parse_learner(learner), .rule = parse_rule(rule)}};
  config.sampler.update = standard_policy(config.sampler.learner);
  if (feed.below(4) == 3) config.sampler.update = UpdatePolicy::asked;
  config.seed = feed.byte();
  config.dimension = static_cast<FeatureView::Index>(feed.below(33));
  if (feed.below(4) == 3) {
    config.features = {.text = {.dictionary = true}, .tf_idf = true, .normalize = true};
    if (config.dimension > 0) config.features.text.max_words = config.dimension;
  }
  return config;
}

/// New tasks after as many rounds as the input says; none if the configuration is impossible.
std::vector<Task> tasks_of(const ModelConfig& config, Feed& feed) {
  try {
    std::vector<Task> tasks = make_tasks(config);
    const int rounds = feed.byte() % 32;
    for (Task& task : tasks) FUZZ_CHECK(exercise(*task.sampler, config.dimension, rounds));
    return tasks;
  } catch (const ConfigError& error) {
    FUZZ_CHECK(*error.what() != '\0');
    return {};
  }
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> inputs;
  for (char learner = 0; static_cast<std::size_t>(learner) < learner_entries().size(); ++learner) {
    const std::string config{learner, 0, learner, 0, 0, 7, 12, static_cast<char>(learner % 4), 31};
    inputs.push_back(config);
    inputs.push_back(config +
                     std::string("\x05\x02\x09\x06\x04\x08\x01\x07\x05\x10\x03\x0b\x06\x12\x00", 15));
  }
  return inputs;
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew;
  using namespace askfew::fuzz;
  Feed feed(text_of(data, size));
  Model model{.config = config_of(feed), .tasks = {}};
  model.features = FeatureState(model.config.features);
  finish_texts(model.features, model.config.features);
  model.tasks = tasks_of(model.config, feed);
  if (model.tasks.empty()) return 0;
  std::optional<Snapshot> snapshot = saved(model);
  if (!snapshot) return 0;
  FUZZ_CHECK(snapshot_of(model_of(*snapshot)) == *snapshot);
  for (int edits = 0; edits < 8 && !feed.empty(); ++edits) edit(*snapshot, feed);
  try {
    Model loaded = model_of(decode_model(encode_model(*snapshot)));
    check_usable(loaded);
  } catch (const ModelError& error) {
    FUZZ_CHECK(*error.what() != '\0');
  }
  return 0;
}
