#pragma once

#include <memory>
#include <string>

#include "askfew/streams/packages.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// How to read a data file.
struct StreamOptions {
  std::string format = "auto";  ///< auto, svmlight, idx or packages
  std::string idx_labels;       ///< empty: beside the images, by name
  FeatureView::Index dimension = 0;
  PackagesStream::LabelField label_field = PackagesStream::LabelField::section;
  TextOptions hashing;
};

/// Opens a file, or standard input for "-", gzip unpacked, the format known by its content unless it is
/// named. THROWS: FileError, ConfigError.
std::unique_ptr<Stream> open_stream(const std::string& path, const StreamOptions& options);

}  // namespace askfew
