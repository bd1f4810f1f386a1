#include "askfew/features/feature_sums.h"

namespace askfew {

void FeatureSums::finish(unsigned bits, Examples& block) {
  sort_(keys_, 32, 32 + bits);
  const Examples::Room out = block.room_for(keys_.size());
  double squares = block.bias() * block.bias();
  std::size_t written = 0;
  for (std::size_t k = 0; k < keys_.size();) {
    const std::uint64_t index = keys_[k] >> 32;
    double sum = values_[keys_[k] & 0xFFFF'FFFF];
    for (++k; k < keys_.size() && keys_[k] >> 32 == index; ++k) sum += values_[keys_[k] & 0xFFFF'FFFF];
    out.indices[written] = static_cast<Index>(index) + block.shift();
    out.values[written] = sum;
    squares += sum * sum;
    written += sum != 0 ? 1 : 0;
  }
  block.added(written);
  block.end_sparse(squares);
  clear();
}

}  // namespace askfew
