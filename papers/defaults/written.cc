#include "papers/defaults/written.h"

#include <filesystem>
#include <fmt/format.h>
#include <iterator>

#include "askfew/system/atomic_file.h"

namespace askfew::defaults {
namespace {

namespace fs = std::filesystem;

std::string line_of(const Dataset& data, std::uint32_t row, std::size_t task) {
  std::string line = data.label(row, task) == Label::positive ? "+1" : "-1";
  data.x(row).for_each([&](FeatureView::Index feature, double value) {
    if (value != 0) fmt::format_to(std::back_inserter(line), " {}:{}", feature + 1, value);
  });
  return line + '\n';
}

}  // namespace

nlohmann::json write_streams(const std::vector<Variant>& variants, std::uint64_t seed,
                             const std::string& folder) {
  fs::create_directories(folder);
  nlohmann::json all = nlohmann::json::array();
  for (const Variant& variant : variants) {
    const bool is_text = variant.name == text_with_tf_idf;
    if (variant.name != as_read && !is_text) continue;
    for (std::size_t task = 0; task < variant.data->tasks(); ++task) {
      const std::string name = fmt::format("{}{}-{}.svm", variant.set, is_text ? "-tf-idf" : "", task);
      AtomicFile file((fs::path(folder) / name).string());
      for (const std::uint32_t row : variant.rows(seed, 0))
        file.stream() << line_of(*variant.data, row, task);
      file.commit();
      all.push_back({{"file", name},
                     {"set", variant.set},
                     {"variant", variant.name},
                     {"task", task},
                     {"ordered", variant.ordered}});
    }
  }
  return all;
}

}  // namespace askfew::defaults
