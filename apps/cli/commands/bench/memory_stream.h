#pragma once

#include <utility>
#include <vector>

#include "askfew/streams/stream.h"

namespace askfew::cli {

/// Examples that are in memory, delivered again and again: blocks are lent, not copied.
class MemoryStream final : public Stream {
 public:
  /// Takes everything that a stream delivers. THROWS: DataError.
  explicit MemoryStream(Stream& source) {
    Examples block;
    while (true) {
      const auto more = source.next(block);
      if (!more) throw DataError(more.error());
      if (!*more) return;
      blocks_.push_back(std::exchange(block, {}));
    }
  }

  /// REQUIRES: the same block in every call.
  tl::expected<bool, ParseError> next(Examples& block) override {
    if (lent_ > 0) std::swap(block, blocks_[lent_ - 1]);
    if (lent_ == blocks_.size()) {
      lent_ = 0;
      return false;
    }
    std::swap(block, blocks_[lent_++]);
    return true;
  }

  [[nodiscard]] std::string name() const override { return "memory"; }
  Examples::LabelId label_id(std::string_view name) override { return name == "+1" ? 1 : -1; }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return std::to_string(id); }

 private:
  std::vector<Examples> blocks_;
  std::size_t lent_ = 0;
};

}  // namespace askfew::cli
