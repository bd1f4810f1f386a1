#include "askfew/models/model_file.h"

#define XXH_INLINE_ALL
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>
#include <xxhash.h>

#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"

namespace askfew {
namespace {

static_assert(std::endian::native == std::endian::little, "models are little-endian");

using nlohmann::json;
using NamedTensor = std::map<std::string, Snapshot::Tensor>::value_type;

constexpr std::size_t prefix_size = 8;
constexpr std::uint64_t max_header = 100'000'000;  // the limit of the safetensors library
constexpr std::string_view metadata_key = "__metadata__";
constexpr std::string_view checksum_key = "askfew.checksum";
constexpr std::string_view no_checksum = "0000000000000000";

std::uint64_t size_of(std::string_view dtype) {
  if (dtype == "F64" || dtype == "U64") return 8;
  if (dtype == "U32") return 4;
  if (dtype == "U8") return 1;
  throw ModelError(fmt::format("tensor type {} is not one of F64, U64, U32, U8", dtype));
}

/// The checksum of bytes that are given in pieces.
class Digest {
 public:
  Digest() { XXH3_64bits_reset(&state_); }
  void add(std::string_view bytes) { XXH3_64bits_update(&state_, bytes.data(), bytes.size()); }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", XXH3_64bits_digest(&state_)); }

 private:
  XXH3_state_t state_;
};

/// The position of the checksum's digits in the file.
std::size_t find_checksum(std::string_view bytes, std::size_t header_size) {
  const std::string key = fmt::format("\"{}\":\"", checksum_key);
  const std::size_t at = bytes.substr(0, prefix_size + header_size).find(key);
  if (at == std::string_view::npos || at + key.size() + no_checksum.size() > prefix_size + header_size) {
    throw ModelError("not an askfew model: it has no checksum");
  }
  return at + key.size();
}

Snapshot::Tensor tensor_of(const json& entry, std::string_view payload) {
  Snapshot::Tensor tensor{.dtype = entry.at("dtype").get<std::string>(), .shape = {}, .bytes = {}};
  for (const json& n : entry.at("shape")) tensor.shape.push_back(json_count(n));
  const json& offsets = entry.at("data_offsets");
  if (offsets.size() != 2) throw ModelError("damaged header: a tensor without offsets");
  const std::uint64_t begin = json_count(offsets.at(0));
  const std::uint64_t end = json_count(offsets.at(1));
  if (begin > end || end > payload.size()) throw ModelError("a tensor reaches beyond the file");
  std::uint64_t elements = 1;
  for (const std::uint64_t n : tensor.shape) {
    if (n != 0 && elements > payload.size() / n) throw ModelError("a tensor is larger than the file");
    elements *= n;
  }
  if (elements * size_of(tensor.dtype) != end - begin) throw ModelError("a tensor of the wrong size");
  tensor.bytes = payload.substr(begin, end - begin);
  return tensor;
}

/// The tensors in the order of the file: largest elements first, so that every tensor is aligned.
std::vector<const NamedTensor*> in_order(const Snapshot& snapshot) {
  std::vector<const NamedTensor*> order;
  for (const std::uint64_t element : {8U, 4U, 1U}) {
    for (const auto& entry : snapshot.tensors) {
      if (size_of(entry.second.dtype) == element) order.push_back(&entry);
    }
  }
  return order;
}

}  // namespace

void write_model(const Snapshot& snapshot, std::ostream& out) {
  json header = json::object();
  header[metadata_key] = snapshot.metadata;
  header[metadata_key][checksum_key] = no_checksum;
  const auto order = in_order(snapshot);
  std::uint64_t begin = 0;
  for (const auto* entry : order) {
    const auto& [name, tensor] = *entry;
    const std::uint64_t end = begin + tensor.bytes.size();
    header[name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = utf8_json_text(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');  // tensors begin at a multiple of 8
  std::string head(prefix_size, '\0');
  const std::uint64_t length = text.size();
  std::memcpy(head.data(), &length, prefix_size);
  head += text;
  Digest digest;
  digest.add(head);
  for (const auto* entry : order) digest.add(entry->second.bytes);
  head.replace(find_checksum(head, length), no_checksum.size(), digest.text());
  out << head;
  for (const auto* entry : order) out << entry->second.bytes;
}

std::string encode_model(const Snapshot& snapshot) {
  std::ostringstream out;
  write_model(snapshot, out);
  return std::move(out).str();
}

Snapshot decode_model(std::string_view bytes) {
  if (bytes.size() < prefix_size) throw ModelError("not an askfew model: it is too short");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), prefix_size);
  if (bytes.starts_with("askfew ledger "))
    throw ModelError("a ledger, not a model: askfew replay writes the model of a ledger");
  if (length > max_header) throw ModelError("not an askfew model: it does not begin like a safetensors file");
  if (length > bytes.size() - prefix_size) throw ModelError("truncated: the file ends inside its header");
  const json header = try_parse_json(bytes.substr(prefix_size, length));
  if (!header.is_object() || !header.contains(metadata_key)) {
    throw ModelError("not an askfew model, or one with a damaged header");
  }
  const std::size_t at = find_checksum(bytes, length);
  Digest digest;
  digest.add(bytes.substr(0, at));
  digest.add(no_checksum);
  digest.add(bytes.substr(at + no_checksum.size()));
  const std::string_view payload = bytes.substr(prefix_size + length);
  try {
    Snapshot snapshot;
    snapshot.metadata = header.at(metadata_key).get<std::map<std::string, std::string>>();
    const auto checksum = snapshot.metadata.find(std::string(checksum_key));
    if (checksum == snapshot.metadata.end() || digest.text() != checksum->second) {
      throw ModelError("damaged or truncated: the checksum does not match");
    }
    snapshot.metadata.erase(checksum);
    std::uint64_t held = 0;
    for (const auto& [name, entry] : header.items()) {
      if (name == metadata_key) continue;
      const auto added = snapshot.tensors.emplace(name, tensor_of(entry, payload));
      held += added.first->second.bytes.size();
      if (held > payload.size()) throw ModelError("damaged header: tensors overlap");
    }
    if (held != payload.size()) throw ModelError("damaged header: bytes that belong to no tensor");
    return snapshot;
  } catch (const json::exception& error) {
    throw ModelError(fmt::format("damaged header: {}", error.what()));
  }
}

Snapshot read_model(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw FileError(path + ": cannot open: it is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path + ": cannot open: " + std::strerror(errno));
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw FileError(path + ": cannot read");
  return decode_model(bytes);
}

std::uint64_t json_count(const json& value, std::uint64_t most) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) {
    throw ModelError("damaged header: a number in it is out of range");
  }
  return value.get<std::uint64_t>();
}

}  // namespace askfew
