#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "askfew/workflows/seen_examples.h"
#include "askfew/workflows/seen_ids.h"
#include "askfew/workflows/seen_labels.h"

namespace askfew {

/// A stream whose examples, labels and ids are looked at as they go by.
class WatchedStream final : public Stream {
 public:
  /// `labels`, `ids`: null if they are not looked at.
  WatchedStream(std::unique_ptr<Stream> stream, std::shared_ptr<Skipped> skipped,
                std::shared_ptr<SeenExamples> examples, std::shared_ptr<SeenLabels> labels,
                std::shared_ptr<SeenIds> ids)
      : Stream(std::move(skipped)),
        stream_(std::move(stream)),
        examples_(std::move(examples)),
        labels_(std::move(labels)),
        ids_(std::move(ids)) {
    set_facts(stream_->facts());
  }

  tl::expected<bool, ParseError> next(Examples& block) override {
    auto more = stream_->next(block);
    if (!more || !*more) return more;
    examples_->look_at(block);
    if (labels_ != nullptr) labels_->look_at(block, *stream_);
    if (ids_ != nullptr) ids_->look_at(block, *stream_);
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
  std::shared_ptr<SeenExamples> examples_;
  std::shared_ptr<SeenLabels> labels_;
  std::shared_ptr<SeenIds> ids_;
};

}  // namespace askfew
