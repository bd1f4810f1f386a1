#include "askfew/streams/files_stream.h"

#include <fmt/format.h>
#include <utility>

namespace askfew {

FilesStream::FilesStream(std::vector<std::string> paths, std::shared_ptr<Skipped> skipped, Open open)
    : Stream(std::move(skipped)), paths_(std::move(paths)), open_(std::move(open)) {
  // From the last to the first, which stays open. Standard input gives its bytes only once.
  for (std::size_t k = paths_.size(); k-- > 0;) {
    const bool opens = k == 0 || paths_[k] != "-";
    if (opens) file_ = open_(paths_[k]);
    const std::vector<Origin> of_file = opens ? file_->origins() : std::vector{origin_of("-")};
    origins_.insert(origins_.begin(), of_file.begin(), of_file.end());
  }
  kind_ = file_->label_kind();
  dimension_ = file_->dimension();
}

tl::expected<bool, ParseError> FilesStream::next(Examples& block) {
  while (true) {
    auto more = file_->next(block);
    if (!more || *more || next_path_ == paths_.size()) return more;
    open_next();
  }
}

void FilesStream::open_next() {
  file_ = open_(paths_[next_path_++]);
  if (file_->dimension() == dimension_) return;
  throw DataError({.why = fmt::format("instances of {} features, those of {} have {}", file_->dimension(),
                                      paths_[0], dimension_),
                   .file = file_->name()});
}

}  // namespace askfew
