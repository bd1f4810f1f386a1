#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "askfew/core/features.h"

namespace askfew {

/// An instance that a program has as text or as numbers. A session takes it as it takes the line of JSON that
/// says the same, and the ledger has that line.
struct Instance {
  struct Sparse {
    std::span<const FeatureView::Index> indices;  ///< from 0, in any order
    std::span<const double> values;               ///< as many
  };
  using Text = std::string_view;
  using Dense = std::span<const double>;

  std::variant<std::int64_t, std::string_view> id;  ///< a text and a number with the same digits differ
  std::variant<Text, Dense, Sparse> content;
};

/// The names of the keys in the lines of a session.
struct InstanceKeys {
  std::string id = "id";
  std::string text = "text";
};

/// Appends the line of JSON, without its end. Texts are UTF-8, numbers keep every bit. REQUIRES: finite
/// numbers.
void append_line(const Instance& instance, const InstanceKeys& keys, std::string& out);

}  // namespace askfew
