// Caches of all kinds of streams: they are read again to the bit, from files and pipes, and refused if
// damaged.

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>
#include <utility>

#include "askfew/streams/formats/cache/bytes.h"
#include "askfew/streams/formats/cache/checksum.h"
#include "askfew/streams/formats/cache/writer.h"

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::read_all;
using test::TemporaryFile;

constexpr std::size_t small_block = 40;

/// The cache of a stream.
std::string cache_of(Stream& stream, std::size_t block = small_block) {
  std::ostringstream out;
  const auto written = write_cache(stream, out, block);
  EXPECT_TRUE(written);
  return out.str();
}
/// The cache of a file with these bytes; the file itself is removed.
std::string cache_of(const std::string& bytes, const StreamOptions& options = {},
                     std::size_t block = small_block) {
  const TemporaryFile file(bytes, "source");
  return cache_of(*open_stream(file.path(), options), block);
}

/// Why a cache is refused; the examples read before must agree with those of the undamaged cache.
std::string refusal(const std::string& bytes, const Examples& whole) {
  const TemporaryFile file(bytes);
  try {
    const auto stream = open_stream(file.path(), {});
    Examples block;
    std::size_t rows = 0;
    auto more = stream->next(block);
    for (; more && *more; more = stream->next(block)) {
      for (std::size_t row = 0; row < block.size(); ++row, ++rows) {
        Examples one;
        Examples other;
        one.append(block, row);
        EXPECT_LT(rows, whole.size());
        if (rows < whole.size()) other.append(whole, rows);
        EXPECT_TRUE(test::same(one, other)) << "row " << rows;
      }
    }
    return more ? "" : more.error().why;
  } catch (const DataError& error) {
    return error.what();
  }
}

std::string lines(int count) {
  std::string text = "# a comment\n";
  for (int k = 0; k < count; ++k) {
    text += k % 3 == 0 ? "+1" : "-1";
    for (int index = 1 + k % 4; index < 60; index += 1 + (k * index) % 17) {
      text += " " + std::to_string(index) + ":0." + std::to_string(100000 + k * 977 + index);
    }
    text += k % 10 == 9 ? "\n\n" : "\n";
  }
  return text;
}

/// A stream with features that no existing format has all of.
class HandMadeStream final : public Stream {
 public:
  explicit HandMadeStream(Examples examples) : examples_(std::move(examples)) {
    set_facts({.label_kind = LabelKind::topics,
               .origins = {{.name = "by hand", .format = "svmlight", .reading = {{"index-base", "1"}}}}});
  }

  tl::expected<bool, ParseError> next(Examples& block) override {
    block = std::exchange(examples_, {});
    return block.size() > 0;
  }
  [[nodiscard]] std::string name() const override { return "by hand"; }
  Examples::LabelId label_id(std::string_view name) override { return names_.id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return names_.name(id); }

 private:
  Examples examples_;
  LabelNames names_;
};

TEST(Cache, svmlight_is_read_back_to_the_bit) {
  const std::string text = lines(300) + "3,17 1:1e-300 2:-1e300 7:0.1\n 5:1\n9 1:0\n2147483647 4:1\n";
  const auto expected = read_all(text);
  ASSERT_TRUE(expected);
  for (const std::size_t block : {std::size_t{1}, small_block, CacheWriter::usual_block}) {
    const auto read = read_all(cache_of(text, {}, block));
    ASSERT_TRUE(read) << read.error().why;
    // The last label is too large for an integer and is stored as a name.
    const auto strange = expected->size() - 1;
    EXPECT_EQ(read->labels(strange)[0], LabelNames::first);
    for (std::size_t row = 0; row < strange; ++row) {
      EXPECT_TRUE(std::ranges::equal(read->labels(row), expected->labels(row)));
      EXPECT_EQ(read->line(row), expected->line(row));
      EXPECT_EQ(read->x(row).squared_norm(), expected->x(row).squared_norm());
      EXPECT_EQ(read->x(row).extent(), expected->x(row).extent());
    }
  }
}

TEST(Cache, neither_threads_nor_compression_nor_chunks_change_what_is_read) {
  const std::string text = lines(500);
  const auto expected = read_all(text);
  ASSERT_TRUE(expected);
  const std::string bytes = cache_of(text);
  for (const std::string& file : {bytes, test::gzip(bytes)}) {
    for (const unsigned threads : {1U, 3U}) {
      for (const std::size_t chunk : {1U, 1000U, 1U << 18}) {
        const auto read = read_all(file, {.threads = threads, .chunk = chunk});
        ASSERT_TRUE(read) << read.error().why;
        EXPECT_TRUE(test::same(*read, *expected)) << threads << " threads, chunks of " << chunk;
      }
    }
  }
}

TEST(Cache, names_of_labels_are_read_back) {
  const std::string list =
      "Package: a\nSection: games\n\nPackage: b\nSection: 7\n\nPackage: c\nSection: web\n\n";
  const TemporaryFile file(cache_of(list));
  const auto stream = open_stream(file.path(), {});
  EXPECT_EQ(stream->facts().label_kind, LabelKind::classes);
  EXPECT_EQ(stream->facts().dimension, FeatureView::Index{1} << 18);
  Examples block;
  std::vector<std::string> names;
  while (*stream->next(block)) {
    for (std::size_t row = 0; row < block.size(); ++row) {
      names.push_back(stream->label_name(block.labels(row)[0]));
      EXPECT_EQ(stream->label_id(names.back()), block.labels(row)[0]);
    }
  }
  EXPECT_EQ(names, (std::vector<std::string>{"games", "7", "web"}));
}

TEST(Cache, a_cache_and_a_text_can_be_read_one_after_the_other) {
  const std::string list = "Package: a\nSection: games\n\nPackage: b\nSection: web\n\n";
  const TemporaryFile text(list, "text");
  const TemporaryFile cache(cache_of(list), "cache");
  for (const auto& paths : {std::vector{text.path(), cache.path()}, std::vector{cache.path(), text.path()}}) {
    const auto stream = open_stream(paths, {});
    const Examples::LabelId games = stream->label_id("games");
    Examples block;
    std::size_t found = 0;
    while (*stream->next(block)) {
      for (std::size_t row = 0; row < block.size(); ++row) found += block.labels(row)[0] == games ? 1 : 0;
    }
    EXPECT_EQ(found, 2U);
  }
}

TEST(Cache, names_of_labels_are_looked_up_as_in_the_format) {
  const TemporaryFile file(cache_of("+1 1:1\n-1 1:1\n"));
  const auto stream = open_stream(file.path(), {});
  EXPECT_EQ(stream->label_id("+1"), 1);
  EXPECT_EQ(stream->label_id("-1.0"), -1);
  EXPECT_THROW(stream->label_id("games"), ConfigError);
}

TEST(Cache, a_cache_holds_dense_and_sparse_examples_times_and_any_number_of_labels) {
  Examples mixed;
  for (int k = 0; k < 50; ++k) {
    mixed.begin(k % 5 == 0 ? 0 : static_cast<std::uint64_t>(k) << 33);
    for (int label = 0; label < k % 4; ++label) mixed.add_label(label * 100 - 7);
    mixed.set_time(k % 7 == 0 ? -123456789012 : k);
    if (k % 2 == 0) {
      for (int i = 0; i < 6; ++i) mixed.add_dense(k == 4 ? -0.0 : i / 3.0);
      mixed.end_dense();
    } else {
      mixed.add_feature(static_cast<FeatureView::Index>(k), 1.0 / k);
      mixed.add_feature(static_cast<FeatureView::Index>(k * 100'000), 5);
      mixed.end_sparse();
    }
  }
  for (const std::size_t block : {1U, 200U, 100'000U}) {
    HandMadeStream stream(mixed);
    const auto read = read_all(cache_of(stream, block));
    ASSERT_TRUE(read) << read.error().why;
    EXPECT_TRUE(test::same(*read, mixed)) << block;
    EXPECT_TRUE(std::signbit(read->x(4).values()[0]));
  }
}

TEST(Cache, the_cache_of_an_empty_stream_is_an_empty_stream) {
  const auto read = read_all(cache_of("# nothing\n"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 0U);
}

TEST(Cache, the_cache_of_a_cache_is_the_same_cache) {
  const std::string bytes = cache_of(lines(100));
  const TemporaryFile file(bytes);
  EXPECT_EQ(cache_of(*open_stream(file.path(), {})), bytes);
}

TEST(Cache, a_cache_is_normalized_as_its_text_is) {
  const std::string text = lines(100);
  const auto expected = read_all(text, {.features = {.normalize = true}});
  const auto read = read_all(cache_of(text), {.features = {.normalize = true}});
  ASSERT_TRUE(expected && read);
  EXPECT_TRUE(test::same(*read, *expected));
}

TEST(Cache, any_changed_byte_is_detected) {
  const std::string text = lines(24);
  const auto whole = read_all(text);
  ASSERT_TRUE(whole);
  const std::string bytes = cache_of(text);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    EXPECT_NE(refusal(damaged, *whole), "") << "byte " << at;
  }
}

TEST(Cache, a_truncated_cache_is_refused_wherever_it_is_cut) {
  const std::string text = lines(24);
  const auto whole = read_all(text);
  ASSERT_TRUE(whole);
  const std::string bytes = cache_of(text);
  for (std::size_t size = 8; size < bytes.size(); ++size) {
    EXPECT_NE(refusal(bytes.substr(0, size), *whole).find("truncated cache"), std::string::npos) << size;
  }
}

TEST(Cache, a_cache_with_bytes_after_its_end_is_refused) {
  const std::string bytes = cache_of(lines(24));
  const auto whole = read_all(bytes);
  ASSERT_TRUE(whole);
  for (const std::string& more : {std::string("x"), std::string(100, '\0'), bytes}) {
    EXPECT_NE(refusal(bytes + more, *whole), "") << more.size();
  }
}

/// The offsets of the blocks of a cache, with its end as the last offset.
std::vector<std::string> blocks_of(const std::string& bytes, std::string& header) {
  const auto prefix = number_at<cache::Prefix>(bytes.data());
  std::size_t at = sizeof prefix + prefix.header_size;
  header = bytes.substr(0, at);
  std::vector<std::string> blocks;
  while (at < bytes.size()) {
    const std::size_t size =
        sizeof(cache::BlockPrefix) + number_at<cache::BlockPrefix>(bytes.data() + at).payload_size;
    blocks.push_back(bytes.substr(at, size));
    at += size;
  }
  return blocks;
}

TEST(Cache, blocks_that_are_missing_repeated_moved_or_from_another_file_are_detected) {
  const std::string text = lines(24);
  const auto whole = read_all(text);
  ASSERT_TRUE(whole);
  std::string header;
  const std::vector<std::string> blocks = blocks_of(cache_of(text), header);
  ASSERT_GE(blocks.size(), 4U);
  const auto joined = [&](std::vector<std::string> parts) {
    std::string bytes = header;
    for (const std::string& part : parts) bytes += part;
    return bytes;
  };
  auto missing = blocks;
  missing.erase(missing.begin() + 1);
  EXPECT_NE(refusal(joined(missing), *whole).find("does not belong there"), std::string::npos);
  auto doubled = blocks;
  doubled.insert(doubled.begin(), blocks[0]);
  EXPECT_NE(refusal(joined(doubled), *whole).find("does not belong there"), std::string::npos);
  auto moved = blocks;
  std::swap(moved[0], moved[1]);
  EXPECT_NE(refusal(joined(moved), *whole), "");
  std::string other_header;
  auto foreign = blocks_of(cache_of(lines(24), {.dimension = 1000}), other_header);
  EXPECT_NE(refusal(joined(foreign), *whole).find("does not match its checksum"), std::string::npos);
}

TEST(Cache, an_unknown_version_is_named) {
  std::string bytes = cache_of(lines(3));
  bytes[8] = 2;
  EXPECT_NE(test::error_of(bytes).why.find("a cache of version 2, this program reads 1"), std::string::npos);
}

TEST(Cache, a_foreign_file_is_refused_by_name) {
  EXPECT_NE(test::error_of("+1 1:1\n", {.format = "cache"}).why.find("not a cache of askfew"),
            std::string::npos);
  EXPECT_NE(test::error_of("", {.format = "cache"}).why.find("not a cache of askfew"), std::string::npos);
}

TEST(Cache, a_cache_is_refused_once_its_source_has_changed) {
  const TemporaryFile text(lines(5), "text");
  const auto stream = open_stream(text.path(), {});
  const TemporaryFile cache(cache_of(*stream), "cache");
  EXPECT_NO_THROW(open_stream(cache.path(), {}));
  const auto why = [&]() -> std::string {
    try {
      open_stream(cache.path(), {});
      return "";
    } catch (const DataError& error) {
      return error.what();
    }
  };
  const auto time = std::filesystem::last_write_time(text.path());
  std::filesystem::last_write_time(text.path(), time + std::chrono::seconds(1));
  EXPECT_EQ(why(), cache.path() + ": " + text.path() + " has changed since: convert it again");
  std::filesystem::last_write_time(text.path(), time);
  EXPECT_EQ(why(), "");
  std::ofstream(text.path(), std::ios::app) << "+1 1:1\n";
  std::filesystem::last_write_time(text.path(), time);
  EXPECT_NE(why(), "");
  std::filesystem::remove(text.path());
  EXPECT_EQ(why(), "");  // the source no longer exists
}

TEST(Cache, a_cache_made_with_other_options_is_refused_if_they_matter) {
  const std::string list = cache_of("Package: a\nSection: games\n");
  EXPECT_NE(test::error_of(list, {.features = {.text = {.bits = 10}}})
                .why.find("read with `bits` '18', and now it is '10'"),
            std::string::npos);
  EXPECT_TRUE(read_all(cache_of("+1 1:1\n"), {.features = {.text = {.bits = 10}}}));
}

TEST(Cache, examples_beyond_the_dimension_are_malformed) {
  const std::string text = "+1 1:1\n-1 9:1\n+1 2:1\n";
  const std::string bytes = cache_of(text);
  const ParseError error = test::error_of(bytes, {.dimension = 8});
  EXPECT_EQ(error.line, 2U);
  EXPECT_EQ(error.why, "feature 9 is out of range, accepted: 1 to 8 (read as cache; see `format`)");
  EXPECT_NE(error.file.find("askfew-"), std::string::npos);
  const auto skipped = std::make_shared<Skipped>();
  const auto read = read_all(bytes, {.dimension = 8, .skipped = skipped});
  const auto from_text = read_all(text, {.dimension = 8, .skipped = std::make_shared<Skipped>()});
  ASSERT_TRUE(read && from_text);
  EXPECT_TRUE(test::same(*read, *from_text));
  EXPECT_EQ(skipped->count, 1U);
}

TEST(Cache, damage_is_not_skipped) {
  std::string bytes = cache_of(lines(24));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  const auto skipped = std::make_shared<Skipped>();
  EXPECT_FALSE(read_all(bytes, {.skipped = skipped}));
  EXPECT_EQ(skipped->count, 0U);
}

TEST(Cache, a_file_that_becomes_shorter_while_it_is_read_is_an_error) {
  const TemporaryFile file(cache_of(lines(20'000), {}, 3000));
  const auto stream = open_stream(file.path(), {.chunk = 4096});
  Examples block;
  ASSERT_TRUE(*stream->next(block));
  std::filesystem::resize_file(file.path(), 20'000);
  auto more = stream->next(block);
  while (more && *more) more = stream->next(block);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().why, "the file has become shorter while it was read");
}

TEST(Cache, examples_are_named_after_the_files_that_they_come_from) {
  const TemporaryFile first("+1 1:1\n-1 2:1\n", "first");
  const TemporaryFile second("+1 3:1\n", "second");
  const std::vector paths{first.path(), second.path()};
  const auto both = open_stream(paths, {});
  const std::string bytes = cache_of(*both);
  for (const std::string& file : {bytes, test::gzip(bytes)}) {
    const TemporaryFile cache(file, "cache");
    const auto stream = open_stream(cache.path(), {});
    Examples block;
    ASSERT_TRUE(*stream->next(block));
    EXPECT_EQ(block.size(), 2U);
    EXPECT_EQ(stream->name(), first.path());
    ASSERT_TRUE(*stream->next(block));
    EXPECT_EQ(stream->name(), second.path());
    EXPECT_EQ(block.line(0), 1U);
    EXPECT_FALSE(*stream->next(block));
  }
}

}  // namespace
}  // namespace askfew
