#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/chunk_pipeline.h"
#include "askfew/streams/format.h"

namespace askfew {

/// A file of records: its chunks are parsed on several threads and delivered in order. The number of threads
/// changes only the speed.
class RecordStream final : public Stream {
 public:
  struct Options {
    double bias = 0;                          ///< constant at the beginning of every instance; 0: none
    bool normalize = false;                   ///< scale every instance to norm 1
    unsigned threads = 1;                     ///< number of parsing threads
    std::size_t chunk = 0;                    ///< bytes per parsed chunk
    std::shared_ptr<Skipped> skipped{};       ///< counts malformed records; null: a malformed record ends the
                                              ///< stream
    const std::atomic<bool>* stop = nullptr;  ///< set from outside to end the stream
    std::vector<Origin> origins{};            ///< of the file, unless the format has other origins
    std::string guessed_format{};             ///< named in errors; empty: the user named the format
  };

  RecordStream(std::unique_ptr<ByteSource> source, std::unique_ptr<Format> format, const Options& options);

  tl::expected<bool, ParseError> next(Examples& block) override;
  [[nodiscard]] std::string name() const override {
    return chunk_.source.empty() ? source_->name() : chunk_.source;
  }
  Examples::LabelId label_id(std::string_view name) override { return format_->label_id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override {
    return format_->label_name(id);
  }
  [[nodiscard]] std::vector<std::string> notes() const override;

 private:
  /// THROWS: MemoryError with the file and line.
  bool next_chunk();
  tl::expected<bool, ParseError> at_end();
  [[nodiscard]] ParseError in_this_file(ParseError error) const;

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<Format> format_;
  Options options_;
  std::uint64_t lines_ = 0;           // lines before the next chunk
  std::uint64_t weighted_ = 0;        // examples with an importance other than 1
  std::uint64_t unlabelled_ = 0;      // examples without a label that were left out
  std::uint64_t not_utf8_ = 0;        // examples with a text that is not UTF-8
  std::uint64_t first_not_utf8_ = 0;  // the line of the first of them
  std::optional<ParseError> error_;   // reported after the examples before it are delivered
  ParsedChunk chunk_;
  std::optional<ChunkPipeline> pipeline_;  // created by the first call of next; must be destroyed before the
                                           // members it uses
};

}  // namespace askfew
