#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/cache/header.h"
#include "askfew/streams/label_names.h"

namespace askfew {

/// Examples that another format has read: a header with the format and its options, blocks with their own
/// lengths and checksums, and an end. A block is a record.
class CacheFormat final : public Format {
 public:
  /// Reads the name of a label as the examples' format does.
  using LabelReader = Examples::LabelId (*)(std::string_view name, const std::shared_ptr<LabelNames>& names);

  struct Options {
    FeatureView::Index dimension = 0;  ///< examples with more features are malformed; 0: no limit
    LabelReader label_reader = nullptr;
  };

  /// Do these bytes begin a cache?
  static bool recognizes(std::string_view first_bytes);

  /// REQUIRES: the header was just read from the source.
  CacheFormat(ReadHeader header, const Options& options, std::shared_ptr<LabelNames> names);

  [[nodiscard]] std::size_t whole_records(std::string_view bytes, std::size_t& looked_at) const override;
  [[nodiscard]] bool last_may_have_no_end() const override { return false; }
  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::optional<std::uint64_t> examples_in(std::string_view block) const override;
  [[nodiscard]] std::string wrong_at_end(std::uint64_t bytes) const override;
  [[nodiscard]] bool is_read_in_place() const override { return true; }
  [[nodiscard]] bool has_lines() const override {
    return false;
  }  // line numbers of the examples refer to
     // another file
  Examples::LabelId label_id(std::string_view name) override { return options_.label_reader(name, names_); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return names_->name(id); }
  [[nodiscard]] std::vector<std::string> notes() const override;

 private:
  class BlockParser;
  /// Facts collected by the parsers, in any order.
  struct Seen {
    std::atomic<std::uint64_t> examples = 0;
    std::atomic<std::uint64_t> examples_told = 0;  // number of examples according to the end
    std::atomic<std::uint64_t> end = 0;            // bytes up to the end of the last block; 0: not seen yet
    std::mutex mutex;
    std::vector<std::string> notes;  // notes from the end
  };

  ReadHeader header_;
  Options options_;
  std::shared_ptr<LabelNames> names_;
  mutable Seen seen_;
};

}  // namespace askfew
