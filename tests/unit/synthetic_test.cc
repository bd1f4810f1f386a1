// Synthetic streams are read like files, and do not depend on how they are read.

#include "tests/unit/synthetic.h"

#include "askfew/streams/open.h"

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::complaint;

Examples read(const std::string& text, const StreamOptions& options = {}) {
  const auto stream = open_stream(text, options);
  Examples all;
  Examples block;
  while (stream->next(block).value()) {
    for (std::size_t row = 0; row < block.size(); ++row) all.append(block, row);
  }
  return all;
}

TEST(Synthetic, examples_do_not_depend_on_blocks_or_on_earlier_examples) {
  for (const SyntheticEntry& entry : synthetic_entries()) {
    SCOPED_TRACE(entry.info.name);
    const std::string text = fmt::format("synthetic:{}:n=700,seed=5", entry.info.name);
    const Examples all = read(text);
    ASSERT_EQ(all.size(), 700U);
    for (const std::size_t chunk : {1U, 5000U, 100'000'000U}) {
      EXPECT_TRUE(test::same(read(text, {.threads = 3, .chunk = chunk}), all)) << chunk;
    }
    const auto generator = make_generator(text);
    for (const std::uint64_t t : {700U, 1U, 501U, 500U}) {
      Examples alone;
      generator->add(t, alone);
      Examples before;
      before.append(all, t - 1);
      EXPECT_TRUE(test::same(alone, before)) << t;
    }
    // A longer stream has the same beginning; another seed has another beginning.
    const Examples longer = read(fmt::format("synthetic:{}:n=800,seed=5", entry.info.name));
    const Examples other = read(fmt::format("synthetic:{}:n=700,seed=6", entry.info.name));
    for (std::size_t row = 0; row < all.size(); ++row) {
      const FeatureView x = all.x(row);
      ASSERT_TRUE(std::equal(x.values(), x.values() + x.size(), longer.x(row).values()));
      ASSERT_FALSE(std::equal(x.values(), x.values() + x.size(), other.x(row).values()));
    }
    EXPECT_NE(generator->teacher(1),
              make_generator(fmt::format("synthetic:{}:seed=6", entry.info.name))->teacher(1));
  }
}

TEST(Synthetic, opens_like_a_file) {
  const std::string text = "synthetic:separable:d=3,n=5";
  const auto stream = open_stream(text, {.features = {.bias = 2}});
  EXPECT_EQ(stream->facts().dimension, 4U);
  EXPECT_EQ(stream->label_id("-1"), -1);
  EXPECT_EQ(stream->label_name(1), "1");
  EXPECT_EQ(stream->name(), "synthetic:separable:d=3,margin=0.1,n=5,noise=0,seed=1");
  ASSERT_EQ(stream->facts().origins.size(), 1U);
  EXPECT_EQ(stream->facts().origins[0].name, stream->name());
  Examples block;
  ASSERT_TRUE(stream->next(block).value());
  EXPECT_EQ(block.size(), 5U);
  EXPECT_EQ(block.x(0).values()[0], 2);
  EXPECT_EQ(block.line(4), 5U);
  EXPECT_FALSE(stream->next(block).value());
}

TEST(Synthetic, is_normalized_on_request) {
  const Examples all = read("synthetic:shifting-gaussian:n=20", {.features = {.normalize = true}});
  for (std::size_t row = 0; row < all.size(); ++row) EXPECT_NEAR(all.x(row).squared_norm(), 1, 1e-14);
}

TEST(Synthetic, can_be_combined_with_other_streams_and_files) {
  const test::TemporaryFile file("+1 1:0.5\n-1 2:1\n");
  const std::vector<std::string> paths{"synthetic:separable:d=3,n=5", file.path(),
                                       "synthetic:linear-noise:d=3,n=4"};
  const auto stream = open_stream(paths, {});
  EXPECT_EQ(stream->facts().origins.size(), 3U);
  std::vector<std::size_t> sizes;
  Examples block;
  while (stream->next(block).value()) sizes.push_back(block.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{5, 2, 4}));
  EXPECT_THROW(open_stream("synthetic:separable:d=3", {.dimension = 2}), ConfigError);
}

TEST(Synthetic, a_wrong_text_is_refused_with_a_reason) {
  EXPECT_EQ(
      complaint("synthetic:gauss"),
      "unknown synthetic stream 'gauss': known: shifting-gaussian, linear-noise, separable, sparse-text");
  EXPECT_EQ(complaint("synthetic:seperable"),
            "unknown synthetic stream 'seperable': did you mean 'separable'?");
  EXPECT_EQ(complaint("synthetic:"),
            "unknown synthetic stream '': known: shifting-gaussian, linear-noise, separable, sparse-text");
  EXPECT_EQ(complaint("synthetic:separable:gap=1"),
            "separable has no parameter 'gap': known: d, n, margin, noise, seed");
  EXPECT_EQ(complaint("synthetic:separable:margin=1.5"),
            "separable: margin = 1.5 is out of range, accepted: [0, 1]");
  EXPECT_EQ(complaint("synthetic:separable:d=1"),
            "separable: d = 1 is out of range, accepted: integer from 2 to 16777216");
  EXPECT_EQ(complaint("synthetic:separable:n=0"), "separable: n = 0 is out of range, accepted: integer >= 1");
  EXPECT_EQ(complaint("synthetic:linear-noise:alpha=0"),
            "linear-noise: alpha = 0 is out of range, accepted: (0, inf]");
  EXPECT_EQ(complaint("synthetic:separable:d=few"), "d = 'few' is not a number");
  EXPECT_EQ(complaint("synthetic:separable:d=3,d=4"), "'separable:d=3,d=4' gives d twice");
  EXPECT_EQ(complaint("synthetic:separable:"), "'' in 'separable:' is not parameter=value");
  EXPECT_EQ(complaint("synthetic:sparse-text:words=60,vocabulary=100"),
            "sparse-text: words = 60 is more than half of the vocabulary of 100");
  EXPECT_EQ(complaint("synthetic:sparse-text:vocabulary=100,words=10,topics=200"),
            "sparse-text: vocabulary = 100 has too few rare words for the keywords of topic 3");
}

}  // namespace
}  // namespace askfew
