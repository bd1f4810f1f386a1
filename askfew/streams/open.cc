#include "askfew/streams/open.h"

#include <fmt/format.h>

#include "askfew/streams/idx.h"
#include "askfew/streams/svmlight.h"

namespace askfew {
namespace {

std::string format_of(std::string_view first_bytes) {
  if (IdxStream::recognizes(first_bytes)) return "idx";
  if (PackagesStream::recognizes(first_bytes)) return "packages";
  return "svmlight";
}

std::unique_ptr<Stream> open_idx(std::unique_ptr<ByteSource> images, const std::string& path,
                                 const StreamOptions& options) {
  const std::string labels = options.idx_labels.empty() ? idx_labels_beside(path) : options.idx_labels;
  if (labels.empty()) {
    throw ConfigError(images->name() + ": the name tells no label file, give it with --idx-labels");
  }
  return std::make_unique<IdxStream>(std::move(images), std::make_unique<ByteSource>(labels));
}

}  // namespace

std::unique_ptr<Stream> open_stream(const std::string& path, const StreamOptions& options) {
  auto source = std::make_unique<ByteSource>(path);
  const std::string format = options.format == "auto" ? format_of(source->peek()) : options.format;
  if (format == "svmlight") return std::make_unique<SvmlightStream>(std::move(source), options.dimension);
  if (format == "idx") return open_idx(std::move(source), path, options);
  if (format == "packages") {
    return std::make_unique<PackagesStream>(std::move(source), options.label_field, options.hashing);
  }
  throw ConfigError(fmt::format("format '{}' is not one of: auto, svmlight, idx, packages", format));
}

}  // namespace askfew
