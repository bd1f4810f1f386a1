// After warm-up a round allocates nothing, for every learner and rule; neither do features of text, synthetic
// examples and lines of a live stream.

#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <new>
#include <optional>

#include "askfew/core/coin.h"
#include "askfew/features/feature_state.h"
#include "askfew/features/text_features.h"
#include "askfew/models/model.h"
#include "askfew/sessions/recorder.h"
#include "askfew/sessions/session_ledger.h"
#include "askfew/streams/formats/synthetic/synthetic.h"

#include "tests/streams.h"
#include "tests/unit/memory_file.h"

namespace {

std::atomic<std::uint64_t> allocations = 0;

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size);
}
void* operator new[](std::size_t size) {
  return counted(size);
}
void* operator new(std::size_t size, const std::nothrow_t& /*nothrow*/) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t& /*nothrow*/) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto line = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(line, (size + line - 1) / line * line)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace askfew {
namespace {

/// The size of the sampler's state in bytes.
std::size_t size_of(const AnySampler& sampler) {
  Snapshot snapshot;
  sampler.save(snapshot, "");
  std::size_t size = 0;
  for (const auto& [name, tensor] : snapshot.tensors) size += tensor.bytes.size();
  return size;
}

TEST(Allocation, a_round_allocates_nothing_after_warm_up) {
  constexpr FeatureView::Index dimension = 12;  // small, for the cutting planes
  for (const LearnerEntry& learner : learner_entries()) {
    // Learners that store all examples become slower with each example.
    const std::size_t rounds = offers(learner, "norm") ? 250 : 2000;
    const test::Stream warm_up = test::teacher_stream(1, rounds, dimension, 8, 0, 0.2);
    const test::Stream measured = test::teacher_stream(2, rounds, dimension, 8, 0, 0.2);
    std::vector<FeatureView> upcoming;
    for (const auto& example : measured) upcoming.push_back(example.x());
    for (const RuleEntry& rule : rule_entries()) {
      if (!fit(learner, rule)) continue;
      SamplerConfig config{.learner = parse_learner(learner.test_specs.front()),
                           .rule = parse_rule(rule.test_specs.front())};
      config.update = standard_policy(config.learner);
      const auto sampler = make_sampler(config, {.dimension = dimension});
      std::uint64_t allocating_rounds = 0;
      const auto round = [&](const test::SparseExample& example) {
        const std::uint64_t before = allocations;
        const Query query = sampler->ask(example.x());
        if (query.asked) sampler->tell(example.x(), example.y, query);
        if (allocations != before) ++allocating_rounds;
      };
      sampler->read_ahead(upcoming);
      for (const auto& example : warm_up) round(example);
      // Also the work that a learner does only now and then, if few labels are asked. A learner that stores
      // its examples does not get more of them.
      const bool stores_examples = offers(learner, "norm") && !offers(learner, "instances");
      const std::size_t forced = stores_examples ? 0 : 100;
      for (std::size_t k = 0; k < forced; ++k) {
        const auto& example = warm_up[k];
        Query query = sampler->ask(example.x());
        query.asked = true;
        sampler->tell(example.x(), example.y, query);
      }
      for (int k = 0; k < 200; ++k) sampler->ask(upcoming[static_cast<std::size_t>(k)]);
      sampler->read_ahead(upcoming);
      allocating_rounds = 0;
      const std::size_t size = size_of(*sampler);
      for (const auto& example : measured) round(example);
      // A learner that stores more and more examples doubles its capacity, in few of many rounds.
      const bool has_grown = size_of(*sampler) > size;
      EXPECT_LE(allocating_rounds, has_grown ? 10 : 0)
          << text_of(config.learner) << " + " << text_of(config.rule);
    }
  }
}

/// Rounds of tasks with shared weights, and of classes, as in a run.
TEST(Allocation, a_round_of_many_tasks_allocates_nothing) {
  constexpr FeatureView::Index dimension = 12;
  const test::Stream examples = test::teacher_stream(3, 1000, dimension, 8, 0, 0.2);
  std::vector<FeatureView> instances;
  for (const auto& example : examples) instances.push_back(example.x());
  for (const auto kind : {LabelPlan::Kind::one_per_label, LabelPlan::Kind::one_of}) {
    ModelConfig config{.sampler = parse_preset("sel-p"), .labels = {kind, {"a", "b", "c", "d", "e"}}};
    Model model = make_model(config);
    ASSERT_NE(model.tasks[0].shared, nullptr);
    std::optional<OneVsRest> classes;
    if (model.decisions) classes.emplace(model.tasks, *model.decisions);
    const auto pass = [&] {
      Lookahead lookahead(model.tasks, instances);
      for (std::size_t row = 0; row < instances.size(); ++row) {
        lookahead.go_to(row);
        const FeatureView& x = instances[row];
        if (classes) {
          const Round round = classes->ask(x);
          if (round.query.asked) classes->tell(x, static_cast<LabelNumber>(row % 5), round);
        } else {
          for (Task& task : model.tasks) {
            const Query query = task.sampler->ask(x);
            if (query.asked) task.sampler->tell(x, examples[row].y, query);
          }
        }
      }
    };
    pass();
    const std::uint64_t before = allocations;
    pass();
    EXPECT_EQ(allocations, before);
  }
}

/// Except for the changes that it detects.
TEST(Allocation, the_quality_monitor_allocates_nothing_in_a_round) {
  QualityMonitor watch(0.1, 0, 100);
  Coin coin({.seed = 1});
  const std::uint64_t before = allocations;
  for (std::uint64_t t = 1; t <= 5000; ++t) {
    const double margin = coin(2 * t) - 0.5;
    const bool asked = coin(2 * t - 1) < 0.1;
    watch.add({.query = {.score = {.margin = margin, .norm = 1}, .probability = 0.1, .asked = asked},
               .prediction = number_of(sgn(margin)),
               .label = number_of(sgn(margin + 0.1))});
  }
  EXPECT_TRUE(watch.changes().empty());
  EXPECT_EQ(allocations, before);
}

TEST(Allocation, a_block_of_texts_allocates_nothing_after_warm_up) {
  const std::vector<std::string> texts{"Real-time strategy games, the games of the 1990s",
                                       "",
                                       "caf\u00e9 CAF\u00c9 \u6771\u4eac",
                                       "\xff\xc3 broken",
                                       std::string(5000, 'x'),
                                       "a b c d e f g h i j k l m n o p q r s t"};
  for (const FeatureOptions& options :
       {FeatureOptions{}, FeatureOptions{.tf_idf = true, .bias = 1, .normalize = true},
        FeatureOptions{
            .text = {.stop_words = "the of", .stem = "english", .ngrams = {1, 3}, .char_ngrams = {2, 4}}},
        FeatureOptions{.text = {.ngrams = {1, 3}, .char_ngrams = {2, 4}, .dictionary = true},
        .tf_idf = true}}) {
    const TextFeatures features(options.text);
    TextScratch scratch(features);
    FeatureState state(options);
    Examples block;
    block.set_bias(options.bias);
    const auto fill = [&] {
      block.clear();
      for (const std::string& text : texts) {
        block.begin(1);
        features.add(text, block, scratch);
        features.finish(block, scratch);
        block.end_sparse();
      }
      state.finish(block, 0, block.size());
    };
    fill();
    const std::uint64_t before = allocations;
    for (int k = 0; k < 10; ++k) fill();
    EXPECT_EQ(allocations - before, 0);
  }
}

/// Instances, with their labels ten instances later, and a ledger.
TEST(Allocation, a_live_line_allocates_hardly_anything_after_warm_up) {
  const MemoryFile file;
  const SessionSettings settings{.config = {.sampler = parse_preset("sel-p"), .seed = 1},
                                 .labels = {.keep = 100}};
  SessionLedger live = open_session_ledger(file.path(), settings, SettingsMismatch::is_an_error, nullptr);
  Recorder recorder(*live.session, live.ledger.get(), false);
  std::string answers;
  std::vector<std::string> lines;
  for (int k = 0; k < 4000; ++k) {
    const std::string words = fmt::format("word{} and word{} of word{}", k % 7, k % 11, k % 13);
    lines.push_back(fmt::format(R"({{"id": "{:06}", "text": "{}"}})", k, words));
    lines.push_back(
        fmt::format(R"({{"id": "{:06}", "label": {}}})", std::max(0, k - 10), k % 3 == 0 ? 1 : -1));
  }
  for (std::string& text : lines) text.append(IncomingReader::padding, ' ');
  const auto line = [&](std::size_t k) {
    return std::string_view(lines[k]).substr(0, lines[k].size() - IncomingReader::padding);
  };
  const auto take = [&](std::size_t first, std::size_t past) {
    for (std::size_t k = first; k < past; k += 2) {
      const std::string_view group[] = {line(k), line(k + 1)};
      answers.clear();
      recorder.answer(group, 0, answers);
    }
  };
  take(0, 4000);
  const std::uint64_t before = allocations;
  take(4000, lines.size());
  // Some of 4,000 lines may allocate: a question can be longer than all questions before it in the same
  // place.
  EXPECT_LE(allocations - before, 40);
  EXPECT_GT(live.session->counts().labels[static_cast<std::size_t>(LabelOutcome::learned)], 1000);
}

TEST(Allocation, the_counter_counts_allocations) {
  const std::uint64_t before = allocations;
  const std::vector<double> some(100);
  EXPECT_EQ(allocations - before, 1);
}

TEST(Allocation, a_synthetic_block_allocates_nothing_after_the_first_block) {
  for (const SyntheticEntry& entry : synthetic_entries()) {
    const auto stream = open_synthetic(fmt::format("synthetic:{}:n=6000", entry.info.name), {});
    Examples block;
    ASSERT_TRUE(stream->next(block).value());
    Examples spare;
    std::swap(block, spare);  // a run uses two blocks
    ASSERT_TRUE(stream->next(block).value());
    const std::uint64_t before = allocations;
    for (int blocks = 0; blocks < 6; ++blocks) {
      std::swap(block, spare);
      ASSERT_TRUE(stream->next(block).value());
    }
    EXPECT_EQ(allocations, before) << entry.info.name;
  }
}

}  // namespace
}  // namespace askfew
