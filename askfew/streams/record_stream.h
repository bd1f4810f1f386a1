#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/chunk_pipeline.h"
#include "askfew/streams/format.h"

namespace askfew {

/// A file of records: chunks of it are parsed on several threads and delivered in order, so that the number
/// of threads changes nothing but the speed.
class RecordStream final : public Stream {
 public:
  struct Options {
    double bias = 0;                     ///< constant that every instance begins with; 0: none
    bool normalize = false;              ///< scale every instance to norm 1
    unsigned threads = 1;                ///< that parse
    std::size_t chunk = 0;               ///< bytes that are parsed at once
    std::shared_ptr<Skipped> skipped{};  ///< where malformed records are counted; null: they end the stream
    const std::atomic<bool>* stop = nullptr;  ///< set from outside to end the stream
    std::vector<Origin> origins{};
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
  [[nodiscard]] LabelKind label_kind() const override { return format_->label_kind(); }
  [[nodiscard]] std::vector<Origin> origins() const override { return options_.origins; }
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] std::vector<std::string> some_labels() const override { return format_->some_labels(); }
  [[nodiscard]] FeatureView::Index dimension() const override {
    const FeatureView::Index features = format_->dimension();
    return features == 0 || options_.bias == 0 ? features : features + 1;
  }
  [[nodiscard]] const TableSchema* table() const override { return format_->table(); }

 private:
  /// THROWS: MemoryError with its place.
  bool next_chunk();
  tl::expected<bool, ParseError> at_end();
  [[nodiscard]] ParseError in_this_file(ParseError error) const;

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<Format> format_;
  Options options_;
  std::uint64_t lines_ = 0;          // before the next chunk
  std::uint64_t weighted_ = 0;       // examples with an importance other than 1
  std::optional<ParseError> error_;  // to be told once what comes before it is delivered
  ParsedChunk chunk_;
  std::optional<ChunkPipeline> pipeline_;  // from the first call of next; goes before what it uses
};

}  // namespace askfew
