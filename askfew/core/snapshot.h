#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/errors.h"

namespace askfew {

/// Named arrays and texts: the content of a model file. Numbers keep every bit.
struct Snapshot {
  struct Tensor {
    std::string dtype;                 ///< "F64", "U64", "U32" or "U8", as in safetensors
    std::vector<std::uint64_t> shape;  ///< empty for a single number
    std::string bytes;                 ///< little-endian

    bool operator==(const Tensor&) const = default;
  };
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;

  bool operator==(const Snapshot&) const = default;
};

/// The name of a tensor with a number that is not finite, or an empty text.
std::string find_not_finite(const Snapshot& snapshot);

/// The number types of a tensor.
template <class T>
concept TensorElement =
    std::same_as<T, double> || std::same_as<T, std::uint64_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::uint8_t> || std::same_as<T, bool>;

template <TensorElement T>
constexpr std::string_view dtype_of() {
  if (std::same_as<T, double>) return "F64";
  if (std::same_as<T, std::uint64_t>) return "U64";
  if (std::same_as<T, std::uint32_t>) return "U32";
  return "U8";
}

/// An object that is saved as an array of numbers.
template <class T>
concept SavedAsArray = requires(const T& object, T& loaded, const std::vector<double>& values) {
  { object.values() } -> std::same_as<std::vector<double>>;
  { loaded.set_values(values) } -> std::same_as<void>;
};

/// Saves what `static void state(auto& self, auto& visit)` lists, under names that begin with a prefix.
class SnapshotWriter {
 public:
  SnapshotWriter(Snapshot& snapshot, std::string prefix) : snapshot_(snapshot), prefix_(std::move(prefix)) {}

  // (Not inlined: a learner's state is compiled once, not with each of its rules.)
  template <class T>
  [[gnu::noinline]] void operator()(std::string_view name, const T& part) {
    if constexpr (TensorElement<T>) {
      put(name, dtype_of<T>(), {}, &part, sizeof(T));
    } else if constexpr (SavedAsArray<T>) {
      (*this)(name, part.values());
    } else {
      SnapshotWriter nested(snapshot_, nested_prefix(name));
      T::state(part, nested);
    }
  }
  template <TensorElement T, class Allocator>
  void operator()(std::string_view name, const std::vector<T, Allocator>& part) {
    put(name, dtype_of<T>(), {part.size()}, part.data(), part.size() * sizeof(T));
  }

 private:
  // Not templates, so that a state costs little code for each of the many pairs of learner and rule.
  [[nodiscard]] std::string nested_prefix(std::string_view name) const;
  void put(std::string_view name, std::string_view dtype, std::vector<std::uint64_t> shape,
           const void* values, std::size_t size);

  Snapshot& snapshot_;
  std::string prefix_;
};

/// Loads what `state` lists. THROWS: ModelError if a part is missing or has the wrong type or shape.
class SnapshotReader {
 public:
  SnapshotReader(const Snapshot& snapshot, std::string prefix)
      : snapshot_(snapshot), prefix_(std::move(prefix)) {}

  template <class T>
  [[gnu::noinline]] void operator()(std::string_view name, T& part) {
    if constexpr (std::same_as<T, bool>) {
      std::uint8_t byte = 0;  // a value other than 0 and 1 is not a bool
      copy(find(name, dtype_of<T>(), 0), &byte, 1);
      part = byte != 0;
    } else if constexpr (TensorElement<T>) {
      copy(find(name, dtype_of<T>(), 0), &part, sizeof(T));
    } else if constexpr (SavedAsArray<T>) {
      std::vector<double> values;
      (*this)(name, values);
      part.set_values(values);
    } else {
      SnapshotReader nested(snapshot_, nested_prefix(name));
      T::state(part, nested);
    }
  }
  template <TensorElement T, class Allocator>
  void operator()(std::string_view name, std::vector<T, Allocator>& part) {
    const Snapshot::Tensor& tensor = find(name, dtype_of<T>(), 1);
    part.resize(tensor.shape[0]);
    copy(tensor, part.data(), part.size() * sizeof(T));
  }

 private:
  [[nodiscard]] std::string nested_prefix(std::string_view name) const;
  [[nodiscard]] const Snapshot::Tensor& find(std::string_view name, std::string_view dtype,
                                             std::size_t dimensions) const;
  static void copy(const Snapshot::Tensor& tensor, void* values, std::size_t size);

  const Snapshot& snapshot_;
  std::string prefix_;
};

}  // namespace askfew
