#pragma once

#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "askfew/streams/label_names.h"

namespace askfew {

/// Labels that are whole numbers or texts, whatever the file mixes. A number that is not too large is its own
/// number; everything else is a name, and names have numbers above those.
class MixedLabels {
 public:
  using LabelId = Examples::LabelId;

  explicit MixedLabels(std::shared_ptr<LabelNames> names) : names_(std::move(names)) {}

  /// "7", "-1" and "+1" are numbers; "07" and "1.0" are names.
  [[nodiscard]] LabelId id(std::string_view text) const {
    LabelId number = 0;
    const bool has_plus = text.starts_with('+') && !text.starts_with("+-");
    const std::string_view digits = text.substr(has_plus ? 1 : 0);
    const auto [past, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number = error == std::errc{} && past == digits.data() + digits.size() &&
                           digits == std::to_string(number) && number < first_name && number > -first_name;
    return is_number ? number : first_name + names_->id(text);
  }
  [[nodiscard]] std::string name(LabelId id) const {
    return id < first_name ? std::to_string(id) : names_->name(id - first_name);
  }

 private:
  static constexpr LabelId first_name = LabelId{1} << 30;

  std::shared_ptr<LabelNames> names_;
};

}  // namespace askfew
