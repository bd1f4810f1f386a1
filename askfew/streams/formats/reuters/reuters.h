#pragma once

// The format of Reuters-21578.

#include <memory>
#include <string_view>

#include "askfew/features/text_features.h"
#include "askfew/streams/format.h"
#include "askfew/streams/label_names.h"

namespace askfew {

/// The stories of Reuters-21578 to use as examples.
struct ReutersOptions {
  /// The "ModApte" split, by the attributes LEWISSPLIT and TOPICS of a story.
  enum class Split : std::uint8_t {
    all,
    modapte,        ///< both of the sets below
    modapte_train,  ///< 9,603 stories, until April 7, 1987
    modapte_test    ///< 3,299 stories, from April 8 on
  };
  Split split = Split::all;
  bool with_topics = false;  ///< skip stories without a topic
};

/// Reuters-21578, the distribution in SGML: one story per `<REUTERS ...> ... </REUTERS>`. Topics are the
/// labels, title and body are the text; the time is the story's time.
class ReutersFormat final : public Format {
 public:
  /// Do these bytes begin such a file?
  static bool recognizes(std::string_view first_bytes) {
    return first_bytes.starts_with("<!DOCTYPE lewis") || first_bytes.starts_with("<REUTERS");
  }

  ReutersFormat(const ReutersOptions& options, const TextOptions& text, std::shared_ptr<LabelNames> names);

  [[nodiscard]] std::size_t whole_records(std::string_view bytes, std::size_t& looked_at) const override;
  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::size_t memory_per_byte() const override { return features_.memory_per_byte(); }
  Examples::LabelId label_id(std::string_view name) override { return names_->id(name); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return names_->name(id); }

 private:
  ReutersOptions options_;
  TextFeatures features_;
  std::shared_ptr<LabelNames> names_;
};

}  // namespace askfew
