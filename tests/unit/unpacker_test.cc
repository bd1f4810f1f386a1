// Compressed files through ByteSource: whole, in several frames, truncated, damaged, and from pipes that give
// a few bytes at a time.

#include "askfew/streams/unpacker.h"

#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <zstd.h>

#include "askfew/streams/byte_source.h"

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::TemporaryFile;

std::string zstd(const std::string& bytes, bool with_checksum = true, int window = 0) {
  ZSTD_CCtx* z = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, with_checksum ? 1 : 0);
  ZSTD_CCtx_setParameter(z, ZSTD_c_windowLog, window);
  std::string packed(ZSTD_compressBound(bytes.size()) + 64, '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  ZSTD_compressStream2(z, &out, &in, ZSTD_e_continue);  // a frame without a size has the largest window
  EXPECT_EQ(ZSTD_compressStream2(z, &out, &in, ZSTD_e_end), 0);
  ZSTD_freeCCtx(z);
  packed.resize(out.pos);
  return packed;
}

/// Everything that a source gives, and why it ended.
struct Everything {
  std::string text;
  std::string failure;
};

Everything everything(const std::string& packed, std::size_t piece = 4096) {
  const TemporaryFile file(packed);
  ByteSource source(file.path());
  Everything all;
  std::string buffer(piece, '\0');
  while (const std::size_t got = source.read(buffer.data(), buffer.size())) all.text.append(buffer, 0, got);
  all.failure = source.failure();
  return all;
}

std::string long_text() {
  std::string text;
  for (int k = 0; text.size() < 1'000'000; ++k) text += std::to_string(k * 7919 % 10007) + '\n';
  return text;
}

struct Packing {
  std::string name;
  std::function<std::string(const std::string&)> pack;
};

class Unpacking : public testing::TestWithParam<Packing> {};

TEST_P(Unpacking, gives_the_same_text_for_every_size_of_pieces) {
  const std::string text = long_text();
  for (const std::size_t piece : {1U, 1000U, 1U << 20}) {
    const Everything all = everything(GetParam().pack(text), piece);
    EXPECT_EQ(all.failure, "");
    EXPECT_TRUE(all.text == text) << piece;
  }
}

TEST_P(Unpacking, continues_with_the_next_frame) {
  const auto& pack = GetParam().pack;
  EXPECT_EQ(everything(pack("one ") + pack("") + pack("two")).text, "one two");
}

TEST_P(Unpacking, an_empty_text_is_not_an_error) {
  const Everything all = everything(GetParam().pack(""));
  EXPECT_EQ(all.text, "");
  EXPECT_EQ(all.failure, "");
}

TEST_P(Unpacking, every_truncation_is_reported) {
  const std::string text = "some text, some text, some more text";
  const std::string packed = GetParam().pack(text) + GetParam().pack(text);
  const std::size_t whole = packed.size() / 2;
  for (std::size_t size = 4; size < packed.size(); ++size) {
    const Everything all = everything(packed.substr(0, size));
    EXPECT_EQ(all.failure.starts_with("truncated "), size != whole) << size << " " << all.failure;
  }
}

TEST_P(Unpacking, a_changed_byte_is_reported) {
  const std::string text = long_text();
  std::string packed = GetParam().pack(text);
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x40);
  const Everything all = everything(packed);
  EXPECT_TRUE(all.failure.starts_with("damaged ")) << all.failure;
  EXPECT_FALSE(all.text == text);
}

TEST_P(Unpacking, bytes_after_the_end_are_refused) {
  const Everything all = everything(GetParam().pack("text") + "and more of it");
  EXPECT_EQ(all.text, "text");
  EXPECT_TRUE(all.failure.starts_with("damaged ")) << all.failure;
}

INSTANTIATE_TEST_SUITE_P(Of, Unpacking,
                         testing::Values(Packing{"gzip", [](const auto& text) { return test::gzip(text); }},
                                         Packing{"zstd", [](const auto& text) { return zstd(text); }}),
                         [](const auto& packing) { return packing.param.name; });

TEST(Zstd, unpacks_without_a_checksum) {
  const std::string text = long_text();
  EXPECT_TRUE(everything(zstd(text, false), 1000).text == text);
}

TEST(Zstd, skips_frames_without_text) {
  const std::string passed_over("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  const Everything all = everything(passed_over + zstd("text") + passed_over);
  EXPECT_EQ(all.text, "text");
  EXPECT_EQ(all.failure, "");
}

TEST(Zstd, refuses_a_window_that_would_take_much_memory) {
  EXPECT_EQ(everything(zstd("text", true, 27)).text, "text");
  const Everything all = everything(zstd("text", true, 28));
  EXPECT_EQ(all.text, "");
  EXPECT_NE(all.failure.find("window of more than 128 MiB"), std::string::npos) << all.failure;
}

TEST(Unpacker, is_recognized_by_the_first_bytes) {
  EXPECT_EQ(unpacker_for("\x1f\x8b\x08")->name(), "gzip");
  EXPECT_EQ(unpacker_for("\x28\xb5\x2f\xfd")->name(), "zstd");
  EXPECT_EQ(unpacker_for("\x5f\x2a\x4d\x18")->name(), "zstd");
  for (const std::string_view plain :
       {"", "+1 1:1", "Package: x", "\x1f", "\x28\xb5\x2f", "\x60\x2a\x4d\x18"}) {
    EXPECT_EQ(unpacker_for(plain), nullptr) << plain;
  }
}

TEST(Unpacker, too_few_bytes_are_not_recognized_yet) {
  for (const std::string_view few : {"", "\x1f", "\x28\xb5\x2f", "P", "_*M"})
    EXPECT_TRUE(may_begin_packed(few));
  for (const std::string_view enough : {"+", "Pa", "\x1f\x8b", "\x28\xb5\x2f\xfd", "\x28\xb6"}) {
    EXPECT_FALSE(may_begin_packed(enough)) << enough;
  }
}

/// A pipe whose other end the test holds.
class Pipe {
 public:
  Pipe() {
    EXPECT_EQ(pipe2(ends_, O_CLOEXEC), 0);
    path_ = "/proc/self/fd/" + std::to_string(ends_[0]);
  }
  ~Pipe() {
    close(ends_[0]);
    end();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  Pipe(Pipe&&) = delete;
  Pipe& operator=(Pipe&&) = delete;
  void write(std::string_view bytes) const {
    EXPECT_EQ(::write(ends_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void end() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  int ends_[2] = {-1, -1};
  std::string path_;
};

TEST(ByteSource, knows_without_waiting_whether_a_compressed_pipe_has_more) {
  const std::string packed = zstd("first\n", false) + zstd("second\n", false);
  const std::size_t first = zstd("first\n", false).size();
  Pipe pipe;
  ByteSource source(pipe.path());
  pipe.write(std::string_view(packed).substr(0, first + 5));
  char buffer[100];
  EXPECT_EQ(std::string(buffer, source.read(buffer, sizeof buffer)), "first\n");
  EXPECT_FALSE(source.has_more());  // five bytes of a frame give no text
  pipe.write(std::string_view(packed).substr(first + 5));
  EXPECT_TRUE(source.has_more());
  EXPECT_EQ(std::string(buffer, source.read(buffer, sizeof buffer)), "second\n");
  EXPECT_FALSE(source.has_more());
  pipe.end();
  EXPECT_TRUE(source.has_more());  // its end
  EXPECT_EQ(source.read(buffer, sizeof buffer), 0U);
  EXPECT_EQ(source.failure(), "");
}

TEST(ByteSource, knows_without_waiting_whether_a_plain_pipe_has_more) {
  Pipe pipe;
  ByteSource source(pipe.path());
  pipe.write("one");
  char buffer[2];
  EXPECT_EQ(source.read(buffer, 2), 2U);
  EXPECT_TRUE(source.has_more());
  EXPECT_EQ(source.read(buffer, 2), 1U);
  EXPECT_FALSE(source.has_more());
  pipe.end();
  EXPECT_TRUE(source.has_more());
}

TEST(ByteSource, gives_all_decompressed_text_before_it_waits) {
  const std::string text(300'000, 'x');  // a few bytes when compressed
  Pipe pipe;
  ByteSource source(pipe.path());
  pipe.write(zstd(text, false));
  std::string all;
  std::string buffer(1000, '\0');
  do {
    all.append(buffer, 0, source.read(buffer.data(), buffer.size()));
  } while (all.size() < text.size() && source.has_more());
  EXPECT_TRUE(all == text) << all.size();
}

TEST(ByteSource, a_compressed_pipe_can_come_byte_by_byte) {
  const std::string text = "+1 1:1\n-1 2:1\n";
  for (const std::string& packed : {zstd(text), test::gzip(text)}) {
    Pipe pipe;
    std::thread writer([&] {
      for (const char c : packed) pipe.write({&c, 1});
      pipe.end();
    });
    ByteSource source(pipe.path());
    std::string all(100, '\0');
    all.resize(source.read_fully(all.data(), all.size()));
    writer.join();
    EXPECT_EQ(all, text);
  }
}

TEST(ByteSource, a_stop_ends_waiting_for_a_compressed_pipe) {
  std::atomic<bool> stop = false;
  Pipe pipe;
  ByteSource source(pipe.path(), &stop);
  pipe.write(zstd("text").substr(0, 9));
  std::thread stopper([&] { stop = true; });
  char buffer[100];
  EXPECT_EQ(source.read(buffer, sizeof buffer), 0U);
  stopper.join();
  EXPECT_EQ(source.failure(), "interrupted");
}

TEST(ByteSource, a_cancelled_read_ends) {
  Pipe pipe;
  ByteSource source(pipe.path());
  std::thread other([&] { source.cancel(); });
  char buffer[100];
  EXPECT_EQ(source.read(buffer, sizeof buffer), 0U);
  other.join();
  EXPECT_EQ(source.failure(), "interrupted");
}

}  // namespace
}  // namespace askfew
