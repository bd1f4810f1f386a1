#include "askfew/streams/files_stream.h"

#include <fmt/core.h>
#include <utility>

namespace askfew {

FilesStream::FilesStream(std::vector<std::string> paths, std::shared_ptr<Skipped> skipped, Open open)
    : Stream(std::move(skipped)), paths_(std::move(paths)), open_(std::move(open)) {
  file_ = open_(paths_[0], {});
  StreamFacts facts = file_->facts();
  for (std::size_t k = 1; k < paths_.size(); ++k) {
    // Standard input gives its bytes only once.
    const auto of_file =
        paths_[k] == "-" ? std::vector{origin_of("-")} : open_(paths_[k], file_->facts())->facts().origins;
    facts.origins.insert(facts.origins.end(), of_file.begin(), of_file.end());
  }
  set_facts(std::move(facts));
}

tl::expected<bool, ParseError> FilesStream::next(Examples& block) {
  while (true) {
    auto more = file_->next(block);
    if (!more) return more;
    is_empty_ = is_empty_ && block.size() == 0;
    if (*more) return more;
    if (std::exchange(is_empty_, false)) notes_.push_back(fmt::format("{}: no example in it", file_->name()));
    if (next_path_ == paths_.size()) return more;
    open_next();
  }
}

std::vector<std::string> FilesStream::notes() const {
  std::vector<std::string> all = notes_;
  for (std::string& note : file_->notes()) all.push_back(std::move(note));
  return all;
}

void FilesStream::open_next() {
  notes_ = notes();
  file_ = open_(paths_[next_path_++], facts());
  is_empty_ = true;
  // A file without a fixed number of features fits any other file.
  const FeatureView::Index first = facts().dimension;
  const FeatureView::Index found = file_->facts().dimension;
  if (found == first || found == 0 || first == 0) return;
  throw DataError(
      {.why = fmt::format("instances of {} features, those of {} have {}", found, paths_[0], first),
       .file = file_->name()});
}

}  // namespace askfew
