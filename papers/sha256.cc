#include "papers/sha256.h"

#include <array>
#include <fmt/format.h>
#include <memory>
#include <openssl/evp.h>
#include <vector>

#include "askfew/core/errors.h"

namespace askfew {

std::string sha256_of(ByteSource& source) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const auto expect = [](bool done) {
    if (!done) throw FileError("SHA-256 cannot be computed");
  };
  expect(context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  std::vector<char> buffer(std::size_t{1} << 18);
  while (const std::size_t got = source.read(buffer.data(), buffer.size())) {
    expect(EVP_DigestUpdate(context.get(), buffer.data(), got) == 1);
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  expect(EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1);
  std::string text;
  for (unsigned k = 0; k < size; ++k) text += fmt::format("{:02x}", digest[k]);
  return text;
}

}  // namespace askfew
