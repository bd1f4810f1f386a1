#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace askfew {

/// Finds the value of one field of a line of JSON, a string or a number, without reading the other fields.
class JsonKey {
 public:
  struct Found {
    std::string key;    ///< the decoded text; a string begins with a quote, so that "7" and 7 differ
    std::string token;  ///< as it was written
  };

  explicit JsonKey(std::string field);
  ~JsonKey();
  JsonKey(const JsonKey&) = delete;
  JsonKey& operator=(const JsonKey&) = delete;

  [[nodiscard]] const std::string& field() const { return field_; }
  /// Nothing if the line is no object with this field, or if the value is neither a string nor a number. The
  /// result is valid until the next call. REQUIRES: JsonReader::padding bytes after the line are readable.
  const Found* find(std::string_view line);

 private:
  struct Parser;

  std::string field_;
  Found found_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace askfew
