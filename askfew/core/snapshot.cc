#include "askfew/core/snapshot.h"

#include <cmath>
#include <cstring>

namespace askfew {

std::string find_not_finite(const Snapshot& snapshot) {
  for (const auto& [name, tensor] : snapshot.tensors) {
    if (tensor.dtype != dtype_of<double>()) continue;
    for (std::size_t at = 0; at + sizeof(double) <= tensor.bytes.size(); at += sizeof(double)) {
      double value = 0;
      std::memcpy(&value, tensor.bytes.data() + at, sizeof(double));
      if (!std::isfinite(value)) return name;
    }
  }
  return "";
}

std::string SnapshotWriter::nested_prefix(std::string_view name) const {
  return prefix_ + std::string(name) + ".";
}

void SnapshotWriter::put(std::string_view name, std::string_view dtype, std::vector<std::uint64_t> shape,
                         const void* values, std::size_t size) {
  std::string bytes(size, '\0');
  if (size > 0) std::memcpy(bytes.data(), values, size);
  snapshot_.tensors[prefix_ + std::string(name)] = {std::string(dtype), std::move(shape), std::move(bytes)};
}

std::string SnapshotReader::nested_prefix(std::string_view name) const {
  return prefix_ + std::string(name) + ".";
}

const Snapshot::Tensor& SnapshotReader::find(std::string_view name, std::string_view dtype,
                                             std::size_t dimensions) const {
  const std::string path = prefix_ + std::string(name);
  const auto found = snapshot_.tensors.find(path);
  if (found == snapshot_.tensors.end()) throw ModelError("no tensor " + path);
  if (found->second.dtype != dtype) throw ModelError(path + " should be of type " + std::string(dtype));
  if (found->second.shape.size() != dimensions) {
    throw ModelError(path + (dimensions == 0 ? " should be a single number" : " should be a vector"));
  }
  return found->second;
}

void SnapshotReader::copy(const Snapshot::Tensor& tensor, void* values, std::size_t size) {
  if (tensor.bytes.size() != size) throw ModelError("tensor of the wrong size");
  if (size > 0) std::memcpy(values, tensor.bytes.data(), size);
}

}  // namespace askfew
