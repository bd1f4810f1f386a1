#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "askfew/core/errors.h"
#include "askfew/core/examples.h"

namespace askfew {

/// What the labels of a stream look like.
enum class LabelKind : std::uint8_t {
  binary,   ///< -1 or 0 against +1
  classes,  ///< one of several a line
  topics    ///< any number a line
};

/// A source of labelled examples, one at a time.
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  Stream(Stream&&) = delete;
  Stream& operator=(Stream&&) = delete;
  virtual ~Stream() = default;

  /// Adds the next example to the block; false at the end of the stream. After an error nothing was added.
  virtual tl::expected<bool, ParseError> read(Examples& block) = 0;

  /// The labels of a stream have numbers inside and names outside. THROWS: ConfigError for a name that the
  /// format cannot have.
  virtual Examples::LabelId label_id(std::string_view name) = 0;
  [[nodiscard]] virtual std::string label_name(Examples::LabelId id) const = 0;

  [[nodiscard]] virtual LabelKind label_kind() const = 0;

  /// Number of features if the format fixes it, else 0.
  [[nodiscard]] virtual FeatureView::Index dimension() const { return 0; }
};

}  // namespace askfew
