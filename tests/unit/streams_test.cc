#include <atomic>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "askfew/features/feature_state.h"
#include "askfew/streams/formats/idx.h"
#include "askfew/streams/formats/svmlight/svmlight.h"

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::error_of;
using test::gzip;
using test::read_all;
using test::TemporaryFile;

TEST(Svmlight, reads_labels_and_features) {
  const auto read = read_all("+1 1:0.5 3:-2e1 # comment\n\n# only a comment\n-1\r\n3,17 2:1");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 3);
  EXPECT_EQ(read->labels(0)[0], 1);
  EXPECT_EQ(read->x(0).size(), 2);
  EXPECT_EQ(read->x(0).indices()[1], 2);
  EXPECT_EQ(read->x(0).values()[1], -20);
  EXPECT_EQ(read->labels(1)[0], -1);
  EXPECT_EQ(read->x(1).size(), 0);
  EXPECT_EQ(read->labels(2).size(), 2);
  EXPECT_EQ(read->line(2), 5);
}

TEST(Svmlight, a_line_that_begins_with_a_space_has_no_labels) {
  const auto read = read_all(" 1:1\n");
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->labels(0).empty());
}

TEST(Svmlight, explicit_zeros_give_no_features) {
  const auto read = read_all("1 1:0 2:3 4:0.0\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->x(0).size(), 1);
}

TEST(Svmlight, gzip_is_recognized_by_its_content) {
  const auto read = read_all(gzip("+1 1:1\n-1 2:1\n"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 2);
}

TEST(Svmlight, a_long_line_is_read) {
  std::string line = "1";
  for (int i = 1; i <= 200'000; ++i) line += " " + std::to_string(i) + ":1.25";
  const auto read = read_all(line + "\n1 1:1\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->x(0).size(), 200'000);
  EXPECT_EQ(read->x(1).size(), 1);
}

struct Malformed {
  const char* text;
  std::uint64_t line;
  std::size_t column;
};
class SvmlightMalformed : public testing::TestWithParam<Malformed> {};

TEST_P(SvmlightMalformed, error_names_line_and_column) {
  const ParseError error = error_of(GetParam().text);
  EXPECT_EQ(error.line, GetParam().line) << error.why;
  EXPECT_EQ(error.column, GetParam().column) << error.why;
  EXPECT_FALSE(error.why.empty());
}

INSTANTIATE_TEST_SUITE_P(Cases, SvmlightMalformed,
                         testing::Values(Malformed{"1 1:1\nx 1:1\n", 2, 1},     // label
                                         Malformed{"1.5 1:1\n", 1, 1},          // real label
                                         Malformed{"1, 1:1\n", 1, 3},           // label after a comma
                                         Malformed{"99999999999 1:1\n", 1, 1},  // label too large
                                         Malformed{"1 1\n", 1, 3},              // no colon
                                         Malformed{"1 a:1\n", 1, 3},            // index
                                         Malformed{"1 1:1 0:1\n", 1, 7},        // index 0
                                         Malformed{"1 -1:1\n", 1, 3},           // negative index
                                         Malformed{"1 5:1 5:1\n", 1, 7},        // twice
                                         Malformed{"1 5:1 4:1\n", 1, 7},        // descending
                                         Malformed{"1 134217729:1\n", 1, 3},    // beyond the limit
                                         Malformed{"1 99999999999999999999:1", 1, 3},
                                         Malformed{"1 1:\n", 1, 5},       // no value
                                         Malformed{"1 1:x\n", 1, 5},      // value
                                         Malformed{"1 1:1x\n", 1, 5},     // value with trailing characters
                                         Malformed{"1 1:nan\n", 1, 5},    //
                                         Malformed{"1 1:-inf\n", 1, 5},   //
                                         Malformed{"1 1:1e999\n", 1, 5},  // overflow
                                         Malformed{"1 1:1 2 :1\n", 1, 7}));

TEST(Svmlight, an_index_beyond_the_dimension_is_an_error) {
  EXPECT_EQ(error_of("1 1:1 11:1\n", {.dimension = 10}).column, 7);
  EXPECT_TRUE(read_all("1 1:1 10:1\n", {.dimension = 10}));
}

TEST(Svmlight, topics_are_recognized) {
  const auto kind_of = [](const std::string& bytes) {
    const TemporaryFile file(bytes);
    return open_stream(file.path(), {})->facts().label_kind;
  };
  EXPECT_EQ(kind_of("1 1:1\n-1 2:1\n"), LabelKind::binary);
  EXPECT_EQ(kind_of("1 1:1\n2,3 2:1\n"), LabelKind::topics);
  EXPECT_EQ(kind_of("1 1:1\n 2:1\n"),
            LabelKind::binary);  // one line without labels does not make the file multi-label
}

TEST(Gzip, truncated_and_damaged_files_are_errors) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "+1 1:" + std::to_string(i * 0.37) + "\n";
  std::string packed = gzip(text);
  EXPECT_NE(error_of(packed.substr(0, packed.size() / 2)).why.find("truncated gzip"), std::string::npos);
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x55);
  EXPECT_FALSE(read_all(packed));
}

TEST(ByteSource, missing_files_and_folders_are_refused) {
  EXPECT_THROW(ByteSource{"/no/such/file"}, FileError);
  const std::string folder = testing::TempDir();
  EXPECT_THROW(ByteSource{folder}, FileError);
}

std::string idx_images(std::uint32_t count, std::uint8_t rows, std::uint8_t columns,
                       const std::string& pixels) {
  std::string bytes("\0\0\x08\x03", 4);
  bytes += {'\0', '\0', '\0', static_cast<char>(count), '\0', '\0', '\0', static_cast<char>(rows)};
  bytes += {'\0', '\0', '\0', static_cast<char>(columns)};
  return bytes + pixels;
}
std::string idx_labels(std::uint32_t count, const std::string& labels) {
  std::string bytes("\0\0\x08\x01", 4);
  bytes += {'\0', '\0', '\0', static_cast<char>(count)};
  return bytes + labels;
}

tl::expected<Examples, ParseError> read_idx(const std::string& images, const std::string& labels) {
  const TemporaryFile label_file(labels, "labels");
  return read_all(images, {.format = "idx", .idx_labels = label_file.path()});
}

TEST(Idx, pixels_are_divided_by_255) {
  const auto read =
      read_idx(gzip(idx_images(2, 1, 3, std::string("\0\x33\xff\xff\0\0", 6))), idx_labels(2, "\x07\x01"));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2);
  EXPECT_TRUE(read->x(0).is_dense());
  EXPECT_DOUBLE_EQ(read->x(0).values()[1], 0.2);
  EXPECT_DOUBLE_EQ(read->x(0).values()[2], 1);
  EXPECT_EQ(read->labels(0)[0], 7);
}

TEST(Idx, damaged_files_are_errors) {
  const std::string images = idx_images(2, 1, 2, "abcd");
  EXPECT_FALSE(read_idx(images, idx_labels(3, "abc")));                              // counts differ
  EXPECT_FALSE(read_idx(images.substr(0, images.size() - 1), idx_labels(2, "ab")));  // an image ends early
  EXPECT_FALSE(read_idx(images, idx_labels(2, "a")));                                // labels end early
  EXPECT_FALSE(read_idx(images.substr(0, 9), idx_labels(2, "ab")));                  // header ends early
  EXPECT_FALSE(read_idx(idx_images(2, 0, 2, ""), idx_labels(2, "ab")));              // no pixels
  EXPECT_FALSE(read_idx(images, images));                                            // not labels
  EXPECT_FALSE(read_idx(idx_labels(2, "ab"), idx_labels(2, "ab")));                  // not images
}

TEST(Idx, the_label_file_is_found_by_name) {
  EXPECT_EQ(idx_labels_beside("a/images/train-images-idx3-ubyte.gz"), "a/images/train-labels-idx1-ubyte.gz");
  EXPECT_EQ(idx_labels_beside("a/images/digits"), "");
}

constexpr const char* packages =
    "Package: 0ad\nVersion: 1\nDescription: Real-time strategy\n of ancient warfare\nTag: game::strategy,\n"
    " role::program\nSection: universe/games\n\n\nPackage: zip\nSection: utils\nDescription: Archiver\n";

TEST(Packages, sections_are_labels) {
  const TemporaryFile file(packages);
  const auto stream = open_stream(file.path(), {});
  Examples block;
  ASSERT_TRUE(*stream->next(block));
  ASSERT_EQ(block.size(), 2);
  EXPECT_EQ(stream->label_name(block.labels(0)[0]), "games");  // without Ubuntu's component
  EXPECT_EQ(stream->label_name(block.labels(1)[0]), "utils");
  EXPECT_EQ(block.x(0).size(), 7);  // 0ad real time strategy of ancient warfare
  EXPECT_EQ(block.line(1), 10);
}

TEST(Packages, tags_are_topics) {
  const TemporaryFile file(packages);
  const auto stream = open_stream(file.path(), {.label_field = PackagesFormat::LabelField::tag});
  Examples block;
  ASSERT_TRUE(*stream->next(block));
  ASSERT_EQ(block.labels(0).size(), 2);
  EXPECT_EQ(stream->label_name(block.labels(0)[1]), "role::program");
  EXPECT_TRUE(block.labels(1).empty());
}

TEST(Packages, errors_in_malformed_lines_name_line_and_column) {
  EXPECT_EQ(error_of("Package: a\nno colon here\n").line, 2);
  EXPECT_EQ(error_of(" continued\n", {.format = "packages"}).line, 1);
}

TEST(OpenStream, an_unknown_format_is_refused) {
  const TemporaryFile file("1 1:1\n");
  EXPECT_THROW(open_stream(file.path(), {.format = "parquet"}), ConfigError);
}

/// Many lines of different lengths, optionally with an error at the end.
std::string many_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += i % 3 == 0 ? "-1" : "+1";
    for (int k = 1; k <= i % 23; ++k)
      text += " " + std::to_string(k * (1 + i % 5)) + ":" + std::to_string(0.25 * i);
    text += i % 7 == 0 ? "\r\n" : "\n";
  }
  return text;
}

TEST(RecordStream, neither_threads_nor_chunks_change_what_is_read) {
  const std::string text = many_lines(3000);
  const auto expected = read_all(text);
  ASSERT_TRUE(expected);
  for (const unsigned threads : {1U, 2U, 5U}) {
    for (const std::size_t chunk : {1U, 100U, 5000U}) {
      const auto read = read_all(text, {.threads = threads, .chunk = chunk});
      ASSERT_TRUE(read);
      EXPECT_TRUE(test::same(*read, *expected)) << threads << " threads, chunks of " << chunk;
    }
  }
}

TEST(RecordStream, neither_threads_nor_chunks_change_features_of_text) {
  std::string list;
  for (int k = 0; k < 400; ++k) {
    list += "Package: p" + std::to_string(k % 50) + "\nDescription: Caf\u00e9 games of " +
            std::to_string(k * k % 97) + "\n\n";
  }
  const TemporaryFile file(list);
  for (const FeatureOptions& features :
       {FeatureOptions{.text = {.stem = "english", .ngrams = {1, 2}}, .bias = 1, .normalize = true},
        FeatureOptions{
            .text = {.ngrams = {1, 2}, .dictionary = true}, .tf_idf = true, .bias = 1, .normalize = true}}) {
    std::vector<std::vector<double>> expected;
    for (const unsigned threads : {1U, 2U, 5U}) {
      for (const std::size_t chunk : {100U, 1000U, 1U << 18U}) {
        const auto stream =
            open_stream(file.path(), {.features = features, .threads = threads, .chunk = chunk});
        FeatureState state(features);
        std::vector<std::vector<double>> read;  // indices and values of every row
        Examples block;
        while (*stream->next(block)) {
          state.finish(block, 0, block.size());
          for (std::size_t row = 0; row < block.size(); ++row) {
            std::vector<double>& numbers = read.emplace_back();
            block.x(row).for_each([&](FeatureView::Index i, double v) {
              numbers.insert(numbers.end(), {double(i), v});
            });
          }
        }
        if (expected.empty()) expected = read;
        ASSERT_EQ(read.size(), 400);
        EXPECT_EQ(read, expected) << threads << " threads, chunks of " << chunk;
      }
    }
  }
}

TEST(RecordStream, examples_before_an_error_are_delivered_first) {
  const TemporaryFile file(many_lines(500) + "oops\n" + many_lines(500));
  for (const unsigned threads : {1U, 3U}) {
    const auto stream = open_stream(file.path(), {.threads = threads, .chunk = 64});
    Examples block;
    std::size_t rows = 0;
    auto more = stream->next(block);
    for (; more && *more; more = stream->next(block)) rows += block.size();
    EXPECT_EQ(rows, 500);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().line, 501);
    EXPECT_EQ(more.error().file, file.path());
    EXPECT_FALSE(stream->next(block));  // the error stays
  }
}

TEST(RecordStream, malformed_lines_are_skipped_and_counted_on_request) {
  for (const unsigned threads : {1U, 3U}) {
    const auto skipped = std::make_shared<Skipped>();
    const auto read =
        read_all("x\n1 1:1\n1 1:y\n\n1 2:1\nz", {.threads = threads, .chunk = 3, .skipped = skipped});
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), 2);
    EXPECT_EQ(read->line(1), 5);
    EXPECT_EQ(skipped->count, 3);
    ASSERT_EQ(skipped->first.size(), 3);
    EXPECT_EQ(skipped->first[1].line, 3);
    EXPECT_EQ(skipped->first[2].line, 6);
  }
}

TEST(RecordStream, a_stream_can_be_destroyed_while_it_waits_for_a_pipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string path = "/dev/fd/" + std::to_string(ends[0]);
  const std::string line = "1 1:1\nbad\n";
  ASSERT_EQ(write(ends[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
  {
    const auto stream = open_stream(path, {.threads = 2});
    Examples block;
    ASSERT_TRUE(*stream->next(block));
    EXPECT_EQ(block.size(), 1);
    EXPECT_FALSE(stream->next(block));
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(RecordStream, a_flag_ends_a_stream_that_waits_for_a_pipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string path = "/dev/fd/" + std::to_string(ends[0]);
  ASSERT_EQ(write(ends[1], "1 1:1\n", 6), 6);
  for (const unsigned threads : {1U, 2U}) {
    std::atomic<bool> stop = false;
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      stop = true;
    });
    const auto stream = open_stream(path, {.threads = threads, .stop = &stop});
    Examples block;
    auto more = stream->next(block);
    while (more && *more) more = stream->next(block);
    EXPECT_TRUE(more);
    later.join();
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(FilesStream, files_are_read_one_after_the_other) {
  const TemporaryFile first("1 1:1\n-1 2:1\n", "first");
  const TemporaryFile second(gzip("1 3:1\nbad\n"), "second");
  const std::vector<std::string> paths{first.path(), second.path()};
  const auto stream = open_stream(paths, {});
  Examples block;
  ASSERT_TRUE(*stream->next(block));
  EXPECT_EQ(block.size(), 2);
  EXPECT_EQ(stream->name(), first.path());
  ASSERT_TRUE(*stream->next(block));
  EXPECT_EQ(block.size(), 1);
  EXPECT_EQ(block.line(0), 1);
  const auto more = stream->next(block);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().file, second.path());
  EXPECT_EQ(more.error().line, 2);
}

TEST(FilesStream, a_missing_file_is_refused_at_once) {
  const TemporaryFile first("1 1:1\n", "first");
  const std::vector<std::string> paths{first.path(), "/no/such/file"};
  EXPECT_THROW(open_stream(paths, {}), FileError);
}

TEST(Examples, normalizing_gives_norm_one_and_keeps_zero_vectors) {
  Examples block;
  block.begin(1);
  block.add_feature(0, 3);
  block.add_feature(4, 4);
  block.end_sparse();
  block.normalize(block.size() - 1);
  EXPECT_DOUBLE_EQ(block.x(0).squared_norm(), 1);
  EXPECT_DOUBLE_EQ(block.x(0).values()[1], 0.8);
  block.begin(2);
  block.end_sparse();
  block.normalize(block.size() - 1);
  EXPECT_EQ(block.x(1).squared_norm(), 0);
}

}  // namespace
}  // namespace askfew
