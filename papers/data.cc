#include "papers/data.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/models/label_plan.h"
#include "askfew/streams/open.h"
#include "askfew/streams/scan.h"
#include "askfew/system/process.h"
#include "askfew/system/raw_file.h"
#include "askfew/system/temporary_folder.h"

#include "papers/datasets.h"

namespace askfew {
namespace {

namespace fs = std::filesystem;

std::size_t limit_of(std::size_t most) {
  return most == 0 ? std::size_t{1} << 32 : most;
}

/// Reads the digits with one task per list of positive digits; rows with digits that the plan does not keep
/// are left out.
Dataset read_digits(Stream& stream, const DigitsPlan& plan) {
  std::vector<Examples::LabelId> ids;
  for (int digit = 0; digit <= 9; ++digit) ids.push_back(stream.label_id(std::to_string(digit)));
  FeatureState features({.normalize = plan.normalize});
  const Dataset all = Dataset::read(stream, Labelling::one_per_label(ids), features);
  const auto digit_of = [&](std::size_t row) {
    for (std::size_t digit = 0; digit < 10; ++digit) {
      if (all.label(row, digit) == Label::positive) return static_cast<int>(digit);
    }
    return -1;
  };
  const auto contains = [](const std::vector<int>& digits, int digit) {
    return std::find(digits.begin(), digits.end(), digit) != digits.end();
  };
  return all.selected(
      limit_of(plan.most), plan.positive.size(), [&](std::size_t row, std::span<Label> labels) {
        const int digit = digit_of(row);
        if (!plan.only.empty() && !contains(plan.only, digit)) return false;
        for (std::size_t task = 0; task < labels.size(); ++task) {
          labels[task] = contains(plan.positive[task], digit) ? Label::positive : Label::negative;
        }
        return true;
      });
}

/// THROWS: FileError for a link, because a link may lead out of the folder, and for everything else that is
/// neither a file nor a folder.
void expect_plain_files(const fs::path& folder, const std::string& archive) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::file_status status = entry.symlink_status();
    const bool is_plain =
        fs::is_directory(status) || (fs::is_regular_file(status) && entry.hard_link_count() == 1);
    if (is_plain) continue;
    throw FileError(fmt::format("{}: the archive contains {}, which is not a plain file", archive,
                                in_quotes(entry.path().lexically_relative(folder).string())));
  }
}

/// Unpacks the archive, once, and returns the paths of its files.
std::vector<std::string> unpacked(const std::string& archive, const fs::path& folder) {
  const fs::path done = folder / "done";  // exists once everything is unpacked
  if (!fs::exists(done)) {
    const TemporaryFolder unpacking(folder);
    const RawFile file(archive);
    const int code = run_process(
        {.arguments = {"tar", "-xJf", "-"}, .folder = unpacking.path().string(), .input = file.descriptor()});
    if (code != 0) throw FileError(archive + ": tar and xz cannot unpack this archive");
    expect_plain_files(unpacking.path(), archive);
    std::ofstream(unpacking.path() / "done").flush();
    fs::remove_all(folder);
    fs::rename(unpacking.path(), folder);
  }
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".sgm") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Topics read_labels(std::span<const std::string> paths, const StreamOptions& options, std::size_t labels,
                   std::size_t most, bool twice) {
  const auto first = open_stream(paths, options);
  const auto found = scan(*first);
  if (!found) throw DataError(found.error());
  std::vector<std::pair<std::uint64_t, std::string>> frequent;
  for (const auto& [id, count] : found->labels) frequent.emplace_back(count, first->label_name(id));
  std::sort(frequent.begin(), frequent.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  frequent.resize(std::min(frequent.size(), labels));
  Topics result;
  const auto stream = open_stream(paths, options);
  std::vector<Examples::LabelId> ids;
  for (const auto& [count, name] : frequent) {
    result.names.push_back(name);
    ids.push_back(stream->label_id(name));
  }
  FeatureState features(options.features);
  if (twice) Dataset::read(*open_stream(paths, options), Labelling::one_per_label(ids), features);
  result.data = Dataset::read(*stream, Labelling::one_per_label(ids), features, limit_of(most));
  return result;
}

Dataset read_mnist(const ExperimentContext& context, const DigitsPlan& plan) {
  const auto stream =
      open_stream(path_of(context.data, "mnist", "train-images-idx3-ubyte"),
                  {.features = {.normalize = plan.normalize}, .threads = context.jobs.threads});
  return read_digits(*stream, plan);
}

Dataset read_usps(const ExperimentContext& context, const DigitsPlan& plan) {
  const std::vector<std::string> paths{path_of(context.data, "usps", "zip.train"),
                                       path_of(context.data, "usps", "zip.test")};
  const auto stream = open_stream(
      paths, {.format = "csv",
              .table = {.header = TableOptions::Header::no, .delimiter = ' ', .label_column = "1"},
              .features = {.normalize = plan.normalize},
              .threads = context.jobs.threads});
  return read_digits(*stream, plan);
}

std::vector<std::string> unpacked_reuters(const ExperimentContext& context) {
  return unpacked(path_of(context.data, "reuters21578", "reuters21578.tar.xz"),
                  fs::path(context.work) / "reuters21578");
}

Topics read_reuters(const ExperimentContext& context, std::size_t topics, const FeatureOptions& features,
                    std::size_t most) {
  return read_labels(unpacked_reuters(context),
                     {.features = features,
                      .reuters = {.with_topics = true},
                      .order = Order::time,
                      .threads = context.jobs.threads},
                     topics, most);
}

std::vector<std::string> rcv1_files(const ExperimentContext& context, int subset) {
  return {path_of(context.data, "rcv1", fmt::format("rcv1subset{}_top944.svm", subset))};
}

Topics read_rcv1(const ExperimentContext& context, int subset, std::size_t topics, std::size_t most) {
  return read_labels(rcv1_files(context, subset),
                     {.features = {.normalize = true}, .threads = context.jobs.threads}, topics, most);
}

}  // namespace askfew
