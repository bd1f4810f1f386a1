#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "askfew/streams/label_names.h"

namespace askfew {

/// Labels that are whole numbers or texts, in any mixture: +1 is the number 1, as in svmlight.
class MixedLabels {
 public:
  using LabelId = Examples::LabelId;

  explicit MixedLabels(std::shared_ptr<LabelNames> names) : names_(std::move(names)) {}

  [[nodiscard]] LabelId id(std::string_view text) const {
    const bool is_signed = text.size() > 1 && text[0] == '+' && text[1] >= '0' && text[1] <= '9';
    return names_->id(text.substr(is_signed ? 1 : 0));
  }
  [[nodiscard]] std::string name(LabelId id) const { return names_->name(id); }

 private:
  std::shared_ptr<LabelNames> names_;
};

}  // namespace askfew
