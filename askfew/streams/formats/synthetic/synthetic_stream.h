#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "askfew/streams/formats/synthetic/generator.h"
#include "askfew/streams/stream_options.h"

namespace askfew {

/// The examples of a generator, one block at a time. The size of blocks does not change the examples.
class SyntheticStream final : public Stream {
 public:
  /// `name` contains everything that the examples depend on.
  SyntheticStream(std::string name, std::unique_ptr<Generator> generator, const StreamOptions& options);

  tl::expected<bool, ParseError> next(Examples& block) override;
  [[nodiscard]] std::string name() const override { return name_; }
  Examples::LabelId label_id(std::string_view name) override;
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return std::to_string(id); }

 private:
  std::string name_;
  std::unique_ptr<Generator> generator_;
  double bias_;
  bool normalize_;
  std::size_t block_size_;
  const std::atomic<bool>* stop_;
  std::uint64_t rounds_ = 0;  // so far
};

}  // namespace askfew
