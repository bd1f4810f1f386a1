#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "askfew/workflows/seen_examples.h"
#include "askfew/workflows/seen_ids.h"
#include "askfew/workflows/seen_labels.h"
#include "askfew/workflows/sorted_labels.h"

namespace askfew {

/// What looks at a stream; null where nobody looks.
struct Watchers {
  std::shared_ptr<SeenExamples> examples{};
  std::shared_ptr<SeenLabels> labels{};
  std::shared_ptr<SeenIds> ids{};
  std::shared_ptr<SortedLabels> sorted{};
};

/// A stream that is looked at as it goes by.
class WatchedStream final : public Stream {
 public:
  WatchedStream(std::unique_ptr<Stream> stream, std::shared_ptr<Skipped> skipped, Watchers watchers)
      : Stream(std::move(skipped)), stream_(std::move(stream)), watchers_(std::move(watchers)) {
    set_facts(stream_->facts());
  }

  tl::expected<bool, ParseError> next(Examples& block) override {
    auto more = stream_->next(block);
    if (!more || !*more) return more;
    const auto& [examples, labels, ids, sorted] = watchers_;
    if (examples != nullptr) examples->look_at(block);
    if (labels != nullptr) labels->look_at(block, *stream_);
    if (ids != nullptr) ids->look_at(block, *stream_);
    if (sorted != nullptr) sorted->look_at(block);
    return more;
  }
  [[nodiscard]] std::string name() const override { return stream_->name(); }
  Examples::LabelId label_id(std::string_view name) override { return stream_->label_id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override {
    return stream_->label_name(id);
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return stream_->notes(); }

 private:
  std::unique_ptr<Stream> stream_;
  Watchers watchers_;
};

}  // namespace askfew
