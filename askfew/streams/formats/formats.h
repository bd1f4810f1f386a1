#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"
#include "askfew/streams/label_names.h"
#include "askfew/streams/stream_options.h"

namespace askfew {

/// What a format is made from.
struct Opening {
  ByteSource& source;
  const std::string& path;
  const StreamOptions& options;
  std::shared_ptr<LabelNames> labels;  ///< shared by all files of a stream
};

/// What there is to know about a format before a file of it is open.
struct FormatEntry {
  std::string_view name;
  bool (*recognizes)(std::string_view first_bytes);
  std::unique_ptr<Format> (*open)(const Opening& file);
  bool (*recognizes_name)(std::string_view path);
  // For caches of its examples:
  Reading (*reading)(const StreamOptions& options);  ///< the options that they depend on
  /// A file that is also read, or an empty text.
  std::string (*beside)(const std::string& path, const StreamOptions& options);
  /// As Format::label_id.
  Examples::LabelId (*label_id)(std::string_view name, const std::shared_ptr<LabelNames>& names);
};

/// The first that recognizes a file reads it.
std::span<const FormatEntry> all_formats();
/// Null if there is none of this name.
const FormatEntry* find_format(std::string_view name);

}  // namespace askfew
