#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/errors.h"

namespace askfew {

/// Named arrays and texts: what a model is on disk. Numbers keep every bit.
struct Snapshot {
  struct Tensor {
    std::string dtype;                 ///< "F64", "U64", "U32" or "U8", as safetensors names them
    std::vector<std::uint64_t> shape;  ///< empty for a single number
    std::string bytes;                 ///< little-endian

    bool operator==(const Tensor&) const = default;
  };
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;

  bool operator==(const Snapshot&) const = default;
};

/// What a tensor may hold.
template <class T>
concept TensorElement = std::same_as<T, double> || std::same_as<T, std::uint64_t> ||
                        std::same_as<T, std::uint32_t> || std::same_as<T, bool>;

template <TensorElement T>
constexpr std::string_view dtype_of() {
  if (std::same_as<T, double>) return "F64";
  if (std::same_as<T, std::uint64_t>) return "U64";
  if (std::same_as<T, std::uint32_t>) return "U32";
  return "U8";
}

/// An object with parts of its own: `static void state(auto& self, auto& visit)` lists them, once for both
/// saving and loading.
template <class T, class Visitor>
concept HasState = requires(T& object, Visitor& visit) { T::state(object, visit); };

/// Saves what `state` lists, under names that begin with a prefix.
class SnapshotWriter {
 public:
  SnapshotWriter(Snapshot& snapshot, std::string prefix) : snapshot_(snapshot), prefix_(std::move(prefix)) {}

  template <class T>
  void operator()(std::string_view name, const T& part) {
    if constexpr (TensorElement<T>) {
      put<T>(name, {}, std::span(&part, 1));
    } else {
      SnapshotWriter nested(snapshot_, path(name) + ".");
      T::state(part, nested);
    }
  }
  template <class T>
  void operator()(std::string_view name, const std::vector<T>& part) {
    put<T>(name, {part.size()}, std::span(part));
  }

 private:
  [[nodiscard]] std::string path(std::string_view name) const { return prefix_ + std::string(name); }

  template <class T>
  void put(std::string_view name, std::vector<std::uint64_t> shape, std::span<const T> values) {
    std::string bytes(values.size_bytes(), '\0');
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    snapshot_.tensors[path(name)] = {std::string(dtype_of<T>()), std::move(shape), std::move(bytes)};
  }

  Snapshot& snapshot_;
  std::string prefix_;
};

/// Loads what `state` lists. THROWS: ModelError if a part is missing or of another kind.
class SnapshotReader {
 public:
  SnapshotReader(const Snapshot& snapshot, std::string prefix)
      : snapshot_(snapshot), prefix_(std::move(prefix)) {}

  template <class T>
  void operator()(std::string_view name, T& part) {
    if constexpr (TensorElement<T>) {
      const Snapshot::Tensor& tensor = get(name, dtype_of<T>());
      if (!tensor.shape.empty()) throw ModelError(path(name) + " should be a single number");
      copy(tensor, std::span(&part, 1));
    } else {
      SnapshotReader nested(snapshot_, path(name) + ".");
      T::state(part, nested);
    }
  }
  template <class T>
  void operator()(std::string_view name, std::vector<T>& part) {
    const Snapshot::Tensor& tensor = get(name, dtype_of<T>());
    if (tensor.shape.size() != 1) throw ModelError(path(name) + " should be a vector");
    part.resize(tensor.shape[0]);
    copy(tensor, std::span(part));
  }

 private:
  [[nodiscard]] std::string path(std::string_view name) const { return prefix_ + std::string(name); }

  const Snapshot::Tensor& get(std::string_view name, std::string_view dtype) {
    const auto found = snapshot_.tensors.find(path(name));
    if (found == snapshot_.tensors.end()) throw ModelError("no tensor " + path(name));
    if (found->second.dtype != dtype)
      throw ModelError(path(name) + " should be of type " + std::string(dtype));
    return found->second;
  }
  template <class T>
  static void copy(const Snapshot::Tensor& tensor, std::span<T> values) {
    if (tensor.bytes.size() != values.size_bytes()) throw ModelError("tensor of the wrong size");
    if constexpr (std::same_as<T, bool>) {
      values[0] = tensor.bytes[0] != 0;  // any other byte is not a bool
    } else if (!values.empty()) {
      std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
    }
  }

  const Snapshot& snapshot_;
  std::string prefix_;
};

}  // namespace askfew
