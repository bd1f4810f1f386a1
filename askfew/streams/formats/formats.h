#pragma once

// The table of all file formats.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"
#include "askfew/streams/label_names.h"
#include "askfew/streams/stream_options.h"

namespace askfew {

/// The arguments for opening a format.
struct Opening {
  ByteSource& source;
  const std::string& path;
  const StreamOptions& options;
  std::shared_ptr<LabelNames> labels;  ///< shared by all files of a stream
};

/// The facts about a format that do not depend on a file.
struct FormatEntry {
  std::string_view name;
  bool (*recognizes)(std::string_view first_bytes);
  std::unique_ptr<Format> (*open)(const Opening& file);
  bool (*recognizes_name)(std::string_view path);
  // For caches of the format's examples:
  Reading (*reading)(const StreamOptions& options);  ///< the options that the examples depend on
  /// A second file that is also read, or an empty text.
  std::string (*beside)(const std::string& path, const StreamOptions& options);
  /// As Format::label_id.
  Examples::LabelId (*label_id)(std::string_view name, const std::shared_ptr<LabelNames>& names);
};

/// The first format that recognizes a file reads it.
std::span<const FormatEntry> all_formats();
/// Null if no format has this name.
const FormatEntry* find_format(std::string_view name);

}  // namespace askfew
