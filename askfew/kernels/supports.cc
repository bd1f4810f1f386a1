#include "askfew/kernels/supports.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "askfew/kernels/stored.h"

namespace askfew {
namespace {

bool is_same_view(const FeatureView& a, const FeatureView& b) {
  return a.values() == b.values() && a.size() == b.size() && a.indices() == b.indices() &&
         a.is_dense() == b.is_dense();
}

}  // namespace

bool SavedSupports::consistent() const {
  if (indices.size() != values.size()) return false;
  std::size_t at = 0;
  for (const std::uint32_t length : lengths) {
    if (length > indices.size() - at) return false;
    for (std::size_t k = at + 1; k < at + length; ++k) {
      if (indices[k] <= indices[k - 1]) return false;
    }
    at += length;
  }
  constexpr FeatureView::Index last = ~FeatureView::Index{0};  // an extent is one more than an index
  return at == indices.size() && std::find(indices.begin(), indices.end(), last) == indices.end();
}

template <class T>
Supports<T>::Supports(const Kernel& kernel, const Setting& setting)
    : kernel_(kernel),
      memory_(setting.memory),
      depth_hint_(setting.dimension <= max_dense ? setting.dimension : 0) {}

// ---- storage

template <class T>
void Supports<T>::set(std::size_t slot, const FeatureView& x) {
  make_room(std::max(size_, slot + 1), x);
  if (is_sparse_) {
    sparse_.set(slot, x);
  } else {
    panels_.set(slot, x);
  }
  norms_[slot] = squared_norm(x);
  size_ = std::max(size_, slot + 1);
  forget_results(slot);
}

template <class T>
void Supports<T>::remove(std::size_t slot) {
  const std::size_t last = size_ - 1;
  if (is_sparse_) {
    sparse_.move(last, slot);
    if (slot == last) sparse_.set(slot, FeatureView());
  } else {
    panels_.move(last, slot);
  }
  norms_[slot] = norms_[last];
  size_ = last;
  forget_results(slot);
}

template <class T>
void Supports<T>::clear() {
  while (size_ > 0) remove(size_ - 1);
}

template <class T>
void Supports<T>::forget_results(std::size_t slot) {
  has_last_ = false;
  const std::size_t panel = slot / wide_rows<T>;
  if (panel < block_.changed.size()) block_.changed[panel] = 1;
}

template <class T>
std::size_t Supports<T>::bytes(std::size_t capacity, std::size_t depth, std::size_t features) const {
  const std::size_t rows = is_sparse_ ? sparse_.bytes_with(features) : PanelRows<T>::bytes(capacity, depth);
  const std::size_t block = reads_ahead_ && !is_sparse_ ? block_size * (capacity + depth) * sizeof(T) : 0;
  return rows + block + bytes_beside_rows(capacity);
}

// Capacity doubles, so that a stream allocates O(log n) times; all that is as long as the supports grows with
// it.
template <class T>
std::size_t Supports<T>::capacity_for(std::size_t slots) const {
  return std::max({capacity_, std::bit_ceil(slots), wide_rows<T>});
}

template <class T>
std::size_t Supports<T>::depth_for(const FeatureView& x) const {
  const std::size_t depth = panels_.depth();
  if (is_sparse_ || x.extent() <= depth) return depth;
  return std::min(max_dense, std::max({depth_hint_, std::size_t{x.extent()}, depth + depth / 4}));
}

template <class T>
std::size_t Supports<T>::growth(std::size_t slots, const FeatureView& x) const {
  const std::size_t capacity = capacity_for(slots);
  if (x.extent() <= max_dense || is_sparse_)
    return memory_.growth_to(bytes(capacity, depth_for(x), x.size()));
  // The panels would turn into sparse rows.
  std::size_t chunks = SparseRows<T>::max_chunks(x.size());
  for (std::size_t slot = 0; slot < size_; ++slot) {
    std::size_t features = 0;
    panels_.for_each(slot, [&](Index, T) { ++features; });
    chunks += SparseRows<T>::max_chunks(features);
  }
  return memory_.growth_to(SparseRows<T>::max_bytes(chunks) + bytes_beside_rows(capacity));
}

template <class T>
void Supports<T>::make_room(std::size_t slots, const FeatureView& x) {
  if (x.extent() > max_dense && !is_sparse_) turn_sparse();
  const std::size_t capacity = capacity_for(slots);
  const std::size_t depth = depth_for(x);
  memory_.resize(bytes(capacity, depth, x.size()), "stored examples");
  if (is_sparse_) {
    sparse_.resize(capacity);
  } else {
    panels_.resize(capacity, depth);
  }
  if (capacity == capacity_) return;
  norms_.resize(capacity);
  products_.resize(capacity);
  row_.resize(capacity);
  block_.changed.resize(capacity / wide_rows<T>);
  capacity_ = capacity;
}

template <class T>
void Supports<T>::turn_sparse() {
  sparse_.resize(capacity_);
  for (std::size_t slot = 0; slot < size_; ++slot) sparse_.set(slot, view_of(slot));
  panels_ = {};
  block_.begin = block_.end = 0;
  is_sparse_ = true;
}

/// A support as an instance, until the next call.
template <class T>
FeatureView Supports<T>::view_of(std::size_t slot) const {
  view_indices_.clear();
  view_values_.clear();
  const auto add = [&](Index i, T value) {
    view_indices_.push_back(i);
    view_values_.push_back(static_cast<double>(value));
  };
  if (is_sparse_) {
    sparse_.for_each(slot, add);
  } else {
    panels_.for_each(slot, add);
  }
  return FeatureView::sparse(view_indices_, view_values_);
}

template <class T>
SavedSupports Supports<T>::saved() const {
  SavedSupports saved;
  for (std::size_t slot = 0; slot < size_; ++slot) {
    const FeatureView x = view_of(slot);
    saved.lengths.push_back(static_cast<std::uint32_t>(x.size()));
    saved.indices.insert(saved.indices.end(), x.indices(), x.indices() + x.size());
    saved.values.insert(saved.values.end(), x.values(), x.values() + x.size());
  }
  return saved;
}

template <class T>
void Supports<T>::load(const SavedSupports& saved) {
  clear();
  std::size_t at = 0;
  for (const std::uint32_t length : saved.lengths) {
    set(size_, FeatureView::sparse(std::span(saved.indices).subspan(at, length),
                                   std::span(saved.values).subspan(at, length)));
    at += length;
  }
}

// ---- evaluation

// The chain of x with itself: the same bits as its product with a support that is x, so that the distance of
// the two is exactly 0.
template <class T>
double Supports<T>::squared_norm(const FeatureView& x) const {
  if constexpr (std::is_same_v<T, double>) {
    const std::span<const double> values(x.values(), x.size());
    return fused_dot(values, values);
  } else {
    rounded_.clear();
    x.for_each([&](Index, double value) { rounded_.push_back(stored<T>(value)); });
    return static_cast<double>(fused_dot(std::span<const T>(rounded_), std::span<const T>(rounded_)));
  }
}

template <class T>
void Supports<T>::read_ahead(std::span<const FeatureView> upcoming) {
  upcoming_ = upcoming;
  cursor_ = 0;
  block_.begin = block_.end = 0;
  has_last_ = false;
  if (reads_ahead_ || upcoming.empty()) return;
  reads_ahead_ = true;
  memory_.resize(bytes(capacity_, panels_.depth(), 0), "instances read ahead");
}

// They are asked for in order, each perhaps several times.
template <class T>
std::size_t Supports<T>::find_upcoming(const FeatureView& x) const {
  for (std::size_t k = cursor_; k < upcoming_.size(); ++k) {
    if (is_same_view(upcoming_[k], x)) return cursor_ = k;
  }
  return nowhere;
}

template <class T>
bool Supports<T>::is_last(const FeatureView& x, std::size_t upcoming) const {
  if (!has_last_ || last_upcoming_ != upcoming) return false;
  if (upcoming != nowhere) return true;
  return last_is_dense_ == x.is_dense() &&
         std::equal(last_values_.begin(), last_values_.end(), x.values(), x.values() + x.size()) &&
         (x.is_dense() ||
          std::equal(last_indices_.begin(), last_indices_.end(), x.indices(), x.indices() + x.size()));
}

template <class T>
void Supports<T>::remember(const FeatureView& x, std::size_t upcoming) const {
  has_last_ = true;
  last_upcoming_ = upcoming;
  if (upcoming != nowhere) return;
  last_is_dense_ = x.is_dense();
  last_values_.assign(x.values(), x.values() + x.size());
  if (!x.is_dense()) last_indices_.assign(x.indices(), x.indices() + x.size());
}

template <class T>
std::span<const double> Supports<T>::row(const FeatureView& x) const {
  if (size_ == 0) return {};
  const std::size_t upcoming = find_upcoming(x);
  if (!is_last(x, upcoming)) {
    if (upcoming != nowhere && !is_sparse_) {
      multiply_upcoming(upcoming);
    } else {
      multiply_one(x);
    }
    const std::size_t padded = used_panels() * wide_rows<T>;
    kernel_.evaluate(std::span<const T>(products_).first(padded), kernel_.needs_norms() ? squared_norm(x) : 0,
                     std::span<const double>(norms_).first(padded), std::span(row_).first(padded));
    remember(x, upcoming);
  }
  return {row_.data(), size_};
}

template <class T>
std::span<const double> Supports<T>::row_of(std::size_t slot) const {
  return row(view_of(slot));
}

template <class T>
void Supports<T>::multiply_one(const FeatureView& x) const {
  if (!is_sparse_) return multiply_panels_of(x, 0, used_panels());
  if (spread_.size() < x.extent()) spread_.resize(x.extent());
  x.for_each([&](Index i, double value) { spread_[i] = stored<T>(value); });
  sparse_.multiply(spread_.data(), x.extent(), size_, products_.data());
  x.for_each([&](Index i, double) { spread_[i] = 0; });
}

/// The products of x with the supports of some panels, into their places in products_.
template <class T>
void Supports<T>::multiply_panels_of(const FeatureView& x, std::size_t first, std::size_t count) const {
  const std::size_t depth = std::min<std::size_t>(panels_.extent(), x.extent());
  if (spread_.size() < depth) spread_.resize(depth);
  x.for_each([&](Index i, double value) {
    if (i < depth) spread_[i] = stored<T>(value);
  });
  multiply_row(spread_.data(), panels_.panels(first, count), depth, products_.data() + first * wide_rows<T>);
  std::fill_n(spread_.begin(), depth, T(0));
}

/// The products of an upcoming instance: those of its block, and anew those with panels that have changed.
template <class T>
void Supports<T>::multiply_upcoming(std::size_t upcoming) const {
  if (upcoming < block_.begin || upcoming >= block_.end) multiply_block(upcoming);
  const std::size_t width = block_.panels * wide_rows<T>;
  const std::size_t used = used_panels();
  std::copy_n(block_.products.data() + (upcoming - block_.begin) * width,
              std::min(width, used * wide_rows<T>), products_.data());
  const auto is_stale = [&](std::size_t panel) {
    return panel >= block_.panels || block_.changed[panel] != 0;
  };
  for (std::size_t first = 0; first < used;) {
    std::size_t end = first;
    while (end < used && is_stale(end)) ++end;
    if (end > first) multiply_panels_of(upcoming_[upcoming], first, end - first);
    first = end + 1;
  }
}

template <class T>
void Supports<T>::multiply_block(std::size_t begin) const {
  block_.begin = begin;
  block_.end = std::min(begin + block_size, upcoming_.size());
  block_.panels = used_panels();
  std::fill(block_.changed.begin(), block_.changed.end(), std::uint8_t{0});
  const std::span<const FeatureView> xs = upcoming_.subspan(begin, block_.end - begin);
  std::size_t extent = 0;
  for (const FeatureView& x : xs) extent = std::max<std::size_t>(extent, x.extent());
  const std::size_t depth = std::min(panels_.extent(), extent);
  const std::size_t stride = depth * narrow_rows;
  const std::size_t panels = panels_for(xs.size(), narrow_rows);
  if (block_.instances.size() < panels * stride) block_.instances.resize(block_size * panels_.depth());
  std::fill_n(block_.instances.begin(), panels * stride, T(0));
  for (std::size_t k = 0; k < xs.size(); ++k) {
    T* const to = block_.instances.data() + k / narrow_rows * stride + k % narrow_rows;
    xs[k].for_each([&](Index i, double value) {
      if (i < depth) to[i * narrow_rows] = stored<T>(value);
    });
  }
  if (block_.products.size() < block_size * capacity_) block_.products.resize(block_size * capacity_);
  multiply_panels(PanelProduct<T>{.narrow = block_.instances.data(),
                                  .n = xs.size(),
                                  .narrow_stride = stride,
                                  .wide = panels_.panels(0, block_.panels),
                                  .depth = depth},
                  block_.products.data(), block_.panels * wide_rows<T>);
}

template class Supports<float>;
template class Supports<double>;

}  // namespace askfew
