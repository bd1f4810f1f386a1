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
  reserve(std::max(size_, slot + 1), x);
  if (is_sparse_) {
    sparse_.set(slot, x);
  } else {
    panels_.set(slot, x);
  }
  norms_[slot] = squared_norm(x, rounded_);
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
  panel_versions_[slot / wide_rows<T>] = ++version_;
}

template <class T>
std::size_t Supports<T>::bytes(std::size_t capacity, std::size_t depth, std::size_t features) const {
  const std::size_t rows = is_sparse_ ? sparse_.bytes_with(features) : PanelRows<T>::bytes(capacity, depth);
  const std::size_t block = reads_ahead_ && !is_sparse_ ? block_size * (capacity + depth) * sizeof(T) : 0;
  return rows + block + capacity * (sizeof(T) + 2 * sizeof(double));
}

// The capacity doubles, so that a stream allocates O(log n) times; all arrays as long as the supports grow
// together.
template <class T>
bool Supports<T>::reserve(std::size_t slots, const FeatureView& x) {
  if (x.extent() > max_dense && !is_sparse_) turn_sparse();
  const std::size_t capacity = std::max({capacity_, std::bit_ceil(slots), wide_rows<T>});
  std::size_t depth = panels_.depth();
  if (!is_sparse_ && x.extent() > depth) {
    depth = std::min(max_dense, std::max({depth_hint_, std::size_t{x.extent()}, depth + depth / 4}));
  }
  memory_.resize(bytes(capacity, depth, x.size()), "stored examples");
  if (is_sparse_) {
    sparse_.resize(capacity);
  } else {
    panels_.resize(capacity, depth);
  }
  if (capacity == capacity_) return false;
  norms_.resize(capacity);
  panel_versions_.resize(capacity / wide_rows<T>);
  capacity_ = capacity;
  return true;
}

template <class T>
void Supports<T>::turn_sparse() {
  sparse_.resize(capacity_);
  StoredExample support;
  for (std::size_t slot = 0; slot < size_; ++slot) {
    copy(slot, support);
    sparse_.set(slot, support.x());
  }
  panels_ = {};
  is_sparse_ = true;
}

template <class T>
void Supports<T>::copy(std::size_t slot, StoredExample& to) const {
  to.indices.clear();
  to.values.clear();
  const auto add = [&](Index i, T value) {
    to.indices.push_back(i);
    to.values.push_back(static_cast<double>(value));
  };
  if (is_sparse_) {
    sparse_.for_each(slot, add);
  } else {
    panels_.for_each(slot, add);
  }
}

template <class T>
SavedSupports Supports<T>::saved() const {
  SavedSupports saved;
  StoredExample support;
  for (std::size_t slot = 0; slot < size_; ++slot) {
    copy(slot, support);
    saved.lengths.push_back(static_cast<std::uint32_t>(support.indices.size()));
    saved.indices.insert(saved.indices.end(), support.indices.begin(), support.indices.end());
    saved.values.insert(saved.values.end(), support.values.begin(), support.values.end());
  }
  return saved;
}

template <class T>
void Supports<T>::load(const SavedSupports& saved) {
  clear();
  std::size_t at = 0;
  for (const std::uint32_t length : saved.lengths) {
    set(size_, FeatureView::unchecked_sparse(std::span(saved.indices).subspan(at, length),
                                             std::span(saved.values).subspan(at, length)));
    at += length;
  }
}

// ---- evaluation

// The chain of x with itself: the same bits as the product with a support equal to x, so that their distance
// is exactly 0.
template <class T>
double Supports<T>::squared_norm(const FeatureView& x, std::vector<T>& rounded) const {
  if constexpr (std::is_same_v<T, double>) {
    const std::span<const double> values(x.values(), x.size());
    return fused_dot(values, values);
  } else {
    rounded.clear();
    x.for_each([&](Index, double value) { rounded.push_back(stored<T>(value)); });
    return static_cast<double>(fused_dot(std::span<const T>(rounded), std::span<const T>(rounded)));
  }
}

template <class T>
void Supports<T>::read_ahead(std::span<const FeatureView> upcoming) {
  upcoming_ = upcoming;
  reading_ = ++version_;
  if (reads_ahead_ || upcoming.empty()) return;
  reads_ahead_ = true;
  memory_.resize(bytes(capacity_, panels_.depth(), 0), "instances read ahead");
}

// The instances are asked for in order, each perhaps several times.
template <class T>
std::size_t Supports<T>::find_upcoming(const FeatureView& x, Room& room) const {
  if (room.reading != reading_) {
    room.reading = reading_;
    room.cursor = 0;
    room.block.begin = room.block.end = 0;
  }
  for (std::size_t k = room.cursor; k < upcoming_.size(); ++k) {
    if (is_same_view(upcoming_[k], x)) return room.cursor = k;
  }
  return nowhere;
}

template <class T>
bool Supports<T>::is_in(const Room& room, const FeatureView& x, std::size_t upcoming) const {
  if (room.version != version_ || room.upcoming != upcoming) return false;
  if (upcoming != nowhere) return true;
  return room.is_dense == x.is_dense() &&
         std::equal(room.values.begin(), room.values.end(), x.values(), x.values() + x.size()) &&
         (x.is_dense() ||
          std::equal(room.indices.begin(), room.indices.end(), x.indices(), x.indices() + x.size()));
}

template <class T>
void Supports<T>::remember(const FeatureView& x, std::size_t upcoming, Room& room) const {
  room.version = version_;
  room.upcoming = upcoming;
  if (upcoming != nowhere) return;
  room.is_dense = x.is_dense();
  room.values.assign(x.values(), x.values() + x.size());
  if (!x.is_dense()) room.indices.assign(x.indices(), x.indices() + x.size());
}

template <class T>
std::span<const double> Supports<T>::row(const FeatureView& x, Room& room) const {
  if (size_ == 0) return {};
  const std::size_t upcoming = find_upcoming(x, room);
  if (!is_in(room, x, upcoming)) {
    room.version = 0;  // until everything is computed
    fit(room);
    if (upcoming != nowhere && !is_sparse_) {
      multiply_upcoming(upcoming, room);
    } else {
      multiply_one(x, room);
    }
    const std::size_t padded = used_panels() * wide_rows<T>;
    kernel_.evaluate(std::span<const T>(room.products).first(padded),
                     kernel_.needs_norms() ? squared_norm(x, room.rounded) : 0,
                     std::span<const double>(norms_).first(padded), std::span(room.row).first(padded));
    remember(x, upcoming, room);
  }
  return {room.row.data(), size_};
}

template <class T>
void Supports<T>::fit(Room& room) const {
  if (room.row.size() >= capacity_) return;
  room.products.resize(capacity_);
  room.row.resize(capacity_);
}

template <class T>
std::span<const double> Supports<T>::row_of(std::size_t slot, Room& room) const {
  copy(slot, room.support);
  return row(room.support.x(), room);
}

template <class T>
void Supports<T>::multiply_one(const FeatureView& x, Room& room) const {
  if (!is_sparse_) return multiply_panels_of(x, 0, used_panels(), room);
  std::vector<T>& spread = room.spread;
  if (spread.size() < x.extent()) spread.resize(x.extent());
  x.for_each([&](Index i, double value) { spread[i] = stored<T>(value); });
  sparse_.multiply(spread.data(), x.extent(), size_, room.products.data());
  x.for_each([&](Index i, double) { spread[i] = 0; });
}

/// Writes the products of x with the supports of some panels into the room.
template <class T>
void Supports<T>::multiply_panels_of(const FeatureView& x, std::size_t first, std::size_t count,
                                     Room& room) const {
  const std::size_t depth = std::min<std::size_t>(panels_.extent(), x.extent());
  std::vector<T>& spread = room.spread;
  if (spread.size() < depth) spread.resize(depth);
  x.for_each([&](Index i, double value) {
    if (i < depth) spread[i] = stored<T>(value);
  });
  multiply_row(spread.data(), panels_.panels(first, count), depth,
               room.products.data() + first * wide_rows<T>);
  std::fill_n(spread.begin(), depth, T(0));
}

/// The products of an upcoming instance: from its block, but computed again for panels that have changed.
template <class T>
void Supports<T>::multiply_upcoming(std::size_t upcoming, Room& room) const {
  const auto& block = room.block;
  if (upcoming < block.begin || upcoming >= block.end) multiply_block(upcoming, room);
  const std::size_t width = block.panels * wide_rows<T>;
  const std::size_t used = used_panels();
  std::copy_n(block.products.data() + (upcoming - block.begin) * width, std::min(width, used * wide_rows<T>),
              room.products.data());
  const auto is_stale = [&](std::size_t panel) {
    return panel >= block.panels || panel_versions_[panel] > block.version;
  };
  for (std::size_t first = 0; first < used;) {
    std::size_t end = first;
    while (end < used && is_stale(end)) ++end;
    if (end > first) multiply_panels_of(upcoming_[upcoming], first, end - first, room);
    first = end + 1;
  }
}

template <class T>
void Supports<T>::multiply_block(std::size_t begin, Room& room) const {
  auto& block = room.block;
  block.begin = block.end = 0;  // until everything is computed
  const std::span<const FeatureView> xs =
      upcoming_.subspan(begin, std::min(block_size, upcoming_.size() - begin));
  std::size_t extent = 0;
  for (const FeatureView& x : xs) extent = std::max<std::size_t>(extent, x.extent());
  const std::size_t depth = std::min(panels_.extent(), extent);
  const std::size_t stride = depth * narrow_rows;
  const std::size_t panels = panels_for(xs.size(), narrow_rows);
  if (block.instances.size() < panels * stride) block.instances.resize(block_size * panels_.depth());
  std::fill_n(block.instances.begin(), panels * stride, T(0));
  for (std::size_t k = 0; k < xs.size(); ++k) {
    T* const to = block.instances.data() + k / narrow_rows * stride + k % narrow_rows;
    xs[k].for_each([&](Index i, double value) {
      if (i < depth) to[i * narrow_rows] = stored<T>(value);
    });
  }
  if (block.products.size() < block_size * capacity_) block.products.resize(block_size * capacity_);
  block.panels = used_panels();
  multiply_panels(PanelProduct<T>{.narrow = block.instances.data(),
                                  .n = xs.size(),
                                  .narrow_stride = stride,
                                  .wide = panels_.panels(0, block.panels),
                                  .depth = depth},
                  block.products.data(), block.panels * wide_rows<T>);
  block.version = version_;
  block.begin = begin;
  block.end = begin + xs.size();
}

template class Supports<float>;
template class Supports<double>;

}  // namespace askfew
