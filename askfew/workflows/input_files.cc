#include "askfew/workflows/input_files.h"

#include "askfew/streams/byte_source.h"
#include "askfew/streams/formats/cache/kept_cache.h"
#include "askfew/streams/formats/idx.h"
#include "askfew/streams/formats/synthetic/synthetic.h"
#include "askfew/streams/origin.h"

namespace askfew {

std::vector<FilePlace> input_files(const DataOptions& data) {
  std::vector<FilePlace> files{{.role = "`idx_labels`", .path = data.idx_labels}};
  for (const std::string& path : data.paths) {
    if (is_synthetic(path)) continue;
    files.push_back({.role = "`paths`", .path = path});
    const std::string beside = data.idx_labels.empty() ? idx_labels_beside(path) : "";
    if (!beside.empty() && stamp_of(path) && IdxFormat::recognizes(ByteSource(path).peek())) {
      files.push_back({.role = "the label file", .path = beside});
    }
  }
  if (data.cache) files.push_back({.role = "`cache`", .path = KeptCache(data.paths).path()});
  return files;
}

std::vector<FilePlace> input_files(const DataOptions& data, const ReadingOptions& reading) {
  std::vector<FilePlace> files = input_files(data);
  const bool is_a_file = reading.stop_words != "english" && reading.stop_words != "none";
  if (is_a_file) files.push_back({.role = "`stop_words`", .path = reading.stop_words});
  return files;
}

}  // namespace askfew
