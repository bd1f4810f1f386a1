// Model files, mutated byte by byte: the checksum must detect almost every change.

#include "askfew/models/model_file.h"

#include "tests/fuzz/exercise.h"
#include "tests/fuzz/harness.h"

namespace askfew::fuzz {

std::vector<std::string> seeds() {
  std::vector<std::string> files;
  for (const Model& model : small_models()) files.push_back(encode_model(snapshot_of(model)));
  return files;
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew;
  using namespace askfew::fuzz;
  try {
    const Snapshot snapshot = decode_model(text_of(data, size));
    FUZZ_CHECK(decode_model(encode_model(snapshot)) == snapshot);
    Model model = model_of(snapshot);
    check_usable(model);
  } catch (const ModelError& error) {
    FUZZ_CHECK(*error.what() != '\0');
  }
  return 0;
}
