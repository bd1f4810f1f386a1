// Model files whose length and checksum are corrected after the mutation, so that the mutation reaches the
// header, the configuration and the tensors. An input is the header's text, a line end, and the tensors.

#define XXH_INLINE_ALL
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <xxhash.h>

#include "askfew/models/model_file.h"

#include "tests/fuzz/exercise.h"
#include "tests/fuzz/harness.h"

namespace askfew::fuzz {
namespace {

constexpr std::size_t prefix_size = 8;
constexpr std::string_view checksum_key = R"("askfew.checksum":")";
constexpr std::size_t checksum_size = 16;
constexpr std::string_view small_dimension = R"(\"dimension\":5)";  // in the small model with Winnow
constexpr std::string_view huge_dimension = R"(\"dimension\":134217728)";

std::string file_of(std::string_view input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::uint64_t length = end;
  std::string file(prefix_size, '\0');
  std::memcpy(file.data(), &length, prefix_size);
  file += input.substr(0, end);
  const std::size_t key = file.find(checksum_key);
  file += input.substr(std::min(end + 1, input.size()));
  if (key != std::string::npos && key + checksum_key.size() + checksum_size <= prefix_size + length) {
    const std::size_t at = key + checksum_key.size();
    file.replace(at, checksum_size, std::string(checksum_size, '0'));
    file.replace(at, checksum_size, fmt::format("{:016x}", XXH3_64bits(file.data(), file.size())));
  }
  return file;
}

std::string input_of(const std::string& file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), prefix_size);
  return file.substr(prefix_size, length) + '\n' + file.substr(prefix_size + length);
}

/// Tensors share no bytes; otherwise a small file could give a large model.
void check_size(const Snapshot& snapshot, std::string_view file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), prefix_size);
  std::size_t held = 0;
  for (const auto& [name, tensor] : snapshot.tensors) held += tensor.bytes.size();
  FUZZ_CHECK(held <= file.size() - prefix_size - length);
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> inputs;
  for (const Model& model : small_models()) {
    const std::string file = encode_model(snapshot_of(model));
    inputs.push_back(input_of(file));
    FUZZ_CHECK(file_of(inputs.back()) == file);  // otherwise no mutation would pass the checksum
  }
  // A file of one kilobyte that asks for gigabytes, and a checksum in the wrong place.
  std::string huge = inputs.at(2);
  huge.replace(huge.find(small_dimension), small_dimension.size(), huge_dimension);
  inputs.push_back(huge);
  inputs.emplace_back(R"({"__metadata__":{},"x":{"askfew.checksum":"0000000000000000"}})");
  return inputs;
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew;
  using namespace askfew::fuzz;
  try {
    const std::string file = file_of(text_of(data, size));
    const Snapshot snapshot = decode_model(file);
    check_size(snapshot, file);
    FUZZ_CHECK(decode_model(encode_model(snapshot)) == snapshot);
    Model model = model_of(snapshot);
    check_usable(model);
  } catch (const ModelError& error) {
    FUZZ_CHECK(*error.what() != '\0');
  }
  return 0;
}
