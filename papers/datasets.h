#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace askfew {

/// A file of a data set.
struct DataFile {
  std::string_view name;    ///< in the folder of the set; may be compressed there, as NAME.gz or NAME.zst
  std::string_view sha256;  ///< of the uncompressed content
};

/// A data set that experiments use. askfew comes without data sets.
struct DataSource {
  enum class Package : std::uint8_t { none, npm, debian };

  std::string_view name;  ///< also the name of its folder
  std::string_view what;
  std::string_view terms;
  Package package = Package::none;  ///< the kind of package that has the data set
  std::string_view from;            ///< the package, or the place where people can get the data set
  std::string_view inside;          ///< the folder in the package
  std::span<const DataFile> files;
};

std::span<const DataSource> data_sources();
/// THROWS: ConfigError that names the data sets that exist.
const DataSource& data_source(std::string_view name);

/// Whether a folder has the data set, and whether its files are the expected ones.
enum class DataState : std::uint8_t { complete, missing, different };
DataState state_of(const DataSource& source, const std::string& folder);

/// The path of a file of a data set, compressed or not. THROWS: FileError that says how to get the file.
std::string path_of(const std::string& folder, std::string_view set, std::string_view file);

/// Does the file at `path`, compressed or not, have the expected content?
bool is_as_expected(const std::filesystem::path& path, const DataFile& file);

/// A sentence for messages.
std::string how_to_get(const DataSource& source, const std::string& folder);

}  // namespace askfew
