#include "askfew/kernels/panel_rows.h"

#include "askfew/kernels/stored.h"

namespace askfew {

template <class T>
void PanelRows<T>::resize(std::size_t capacity, std::size_t depth) {
  if (depth == depth_) {
    panels_.resize(capacity * depth);
    return;
  }
  const std::size_t old_stride = stride();
  const std::size_t old_panels = old_stride == 0 ? 0 : panels_.size() / old_stride;
  AlignedVector<T> wider(capacity * depth);
  for (std::size_t p = 0; p < old_panels; ++p) {
    std::copy_n(panels_.data() + p * old_stride, old_stride, wider.data() + p * depth * wide_rows<T>);
  }
  panels_ = std::move(wider);
  depth_ = depth;
}

template <class T>
void PanelRows<T>::set(std::size_t slot, const FeatureView& x) {
  T* const row = first(slot);
  for (std::size_t i = 0; i < extent_; ++i) row[i * wide_rows<T>] = 0;
  x.for_each([&](Index i, double value) { row[i * wide_rows<T>] = stored<T>(value); });
  extent_ = std::max<std::size_t>(extent_, x.extent());
}

template <class T>
void PanelRows<T>::move(std::size_t from, std::size_t to) {
  const T* const source = first(from);
  T* const target = first(to);
  for (std::size_t i = 0; i < extent_; ++i) target[i * wide_rows<T>] = source[i * wide_rows<T>];
}

template class PanelRows<float>;
template class PanelRows<double>;

}  // namespace askfew
