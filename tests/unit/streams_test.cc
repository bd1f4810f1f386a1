#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <zlib.h>

#include "askfew/streams/idx.h"
#include "askfew/streams/open.h"
#include "askfew/streams/scan.h"
#include "askfew/streams/svmlight.h"

namespace askfew {
namespace {

/// A file with given bytes that is gone at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes, const std::string& name = "data")
      : path_(testing::TempDir() + "/streams_test." + std::to_string(getpid()) + "." + name) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string gzip(const std::string& bytes) {
  std::string packed(compressBound(bytes.size()) + 64, '\0');
  z_stream z{};
  deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  deflate(&z, Z_FINISH);
  packed.resize(z.total_out);
  deflateEnd(&z);
  return packed;
}

tl::expected<Examples, ParseError> read_all(const std::string& bytes, const StreamOptions& options = {}) {
  const TemporaryFile file(bytes);
  const auto stream = open_stream(file.path(), options);
  Examples block;
  while (true) {
    const auto more = stream->read(block);
    if (!more) return tl::make_unexpected(more.error());
    if (!*more) return block;
  }
}

ParseError error_of(const std::string& bytes, const StreamOptions& options = {}) {
  const auto read = read_all(bytes, options);
  EXPECT_FALSE(read) << bytes;
  return read ? ParseError{} : read.error();
}

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

TEST(Svmlight, explicit_zeros_are_no_features) {
  const auto read = read_all("1 1:0 2:3 4:0.0\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->x(0).size(), 1);
}

TEST(Svmlight, gzip_is_known_by_its_content) {
  const auto read = read_all(gzip("+1 1:1\n-1 2:1\n"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 2);
}

TEST(Svmlight, a_long_line_works) {
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

TEST_P(SvmlightMalformed, has_its_place) {
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
                                         Malformed{"1 1:1x\n", 1, 5},     // value with a tail
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
    return open_stream(file.path(), {})->label_kind();
  };
  EXPECT_EQ(kind_of("1 1:1\n-1 2:1\n"), LabelKind::binary);
  EXPECT_EQ(kind_of("1 1:1\n2,3 2:1\n"), LabelKind::topics);
  EXPECT_EQ(kind_of("1 1:1\n 2:1\n"), LabelKind::binary);  // one stray line makes no topics
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

TEST(Idx, pixels_become_shares_of_255) {
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
  ASSERT_TRUE(*stream->read(block));
  ASSERT_TRUE(*stream->read(block));
  ASSERT_FALSE(*stream->read(block));
  EXPECT_EQ(stream->label_name(block.labels(0)[0]), "games");  // Ubuntu's component is left out
  EXPECT_EQ(stream->label_name(block.labels(1)[0]), "utils");
  EXPECT_EQ(block.x(0).size(), 7);  // 0ad real time strategy of ancient warfare
  EXPECT_EQ(block.line(1), 10);
}

TEST(Packages, tags_are_topics) {
  const TemporaryFile file(packages);
  const auto stream = open_stream(file.path(), {.label_field = PackagesStream::LabelField::tag});
  Examples block;
  ASSERT_TRUE(*stream->read(block));
  ASSERT_TRUE(*stream->read(block));
  ASSERT_EQ(block.labels(0).size(), 2);
  EXPECT_EQ(stream->label_name(block.labels(0)[1]), "role::program");
  EXPECT_TRUE(block.labels(1).empty());
}

TEST(Packages, malformed_lines_have_their_place) {
  EXPECT_EQ(error_of("Package: a\nno colon here\n").line, 2);
  EXPECT_EQ(error_of(" continued\n", {.format = "packages"}).line, 1);
}

TEST(OpenStream, an_unknown_format_is_refused) {
  const TemporaryFile file("1 1:1\n");
  EXPECT_THROW(open_stream(file.path(), {.format = "parquet"}), ConfigError);
}

TEST(Scan, finds_dimension_and_labels) {
  const TemporaryFile file("3,17 5:1\n 2:1\n1 9:1\n");
  const auto stream = open_stream(file.path(), {});
  const auto found = scan(*stream);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->examples, 3);
  EXPECT_EQ(found->dimension, 9);
  EXPECT_EQ(found->labels, (std::set<Examples::LabelId>{1, 3, 17}));
}

TEST(Examples, normalizing_gives_norm_one_and_keeps_zero) {
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
