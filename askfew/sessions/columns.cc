#include "askfew/sessions/columns.h"

namespace askfew {
namespace {

std::size_t size_of_element(std::string_view dtype) {
  if (dtype == "U8") return 1;
  return dtype == "U32" ? 4 : 8;
}

}  // namespace

void ColumnTree::find(std::string_view name) {
  for (next_ = 0; next_ < parts_.size() && parts_[next_]->first != name;) ++next_;
}

const char* ColumnTree::take(std::size_t size, std::string_view dtype) {
  static constexpr char nothing = 0;
  if (given_ == nullptr && size == 0) return &nothing;
  if (given_ == nullptr) throw ModelError("no tensor " + path_);
  if (given_->dtype != dtype) throw ModelError(path_ + " should be of type " + std::string(dtype));
  if (given_->bytes.size() - at_ < size) throw ModelError(path_ + " has too few numbers");
  const char* values = given_->bytes.data() + at_;
  at_ += size;
  return values;
}

void ColumnTree::expect_end() const {
  if (given_ != nullptr && at_ != given_->bytes.size()) throw ModelError(path_ + " has too many numbers");
  for (const auto& part : parts_) part->second.expect_end();
}

void ColumnTree::write_to(Snapshot& snapshot) const {
  if (!written_.empty()) {
    snapshot.tensors[path_] = {.dtype = std::string(dtype_),
                               .shape = {written_.size() / size_of_element(dtype_)},
                               .bytes = written_};
  }
  for (const auto& part : parts_) part->second.write_to(snapshot);
}

}  // namespace askfew
