#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace askfew {

/// A file of a data set.
struct DataFile {
  std::string_view name;    ///< in the folder of the set; it may also be packed, with .gz behind its name
  std::string_view sha256;  ///< of its content, unpacked
};

/// A data set that experiments use. None of them comes with askfew.
struct DataSource {
  enum class Package : std::uint8_t { none, npm, debian };

  std::string_view name;  ///< also of its folder
  std::string_view what;
  std::string_view terms;
  Package package = Package::none;  ///< in which it is published
  std::string_view from;            ///< the package, or where people have it from
  std::string_view inside;          ///< the folder in the package
  std::span<const DataFile> files;
};

std::span<const DataSource> data_sources();
/// THROWS: ConfigError with those that exist.
const DataSource& data_source(std::string_view name);

/// What has become of a set in a folder.
enum class DataState : std::uint8_t { complete, missing, different };
DataState state_of(const DataSource& source, const std::string& folder);

/// Where a file of a set is, packed or not. THROWS: FileError that says how to get it.
std::string path_of(const std::string& folder, std::string_view set, std::string_view file);

/// Is this the content of the file, packed or not?
bool is_as_expected(const std::filesystem::path& path, const DataFile& file);

/// For messages.
std::string how_to_get(const DataSource& source, const std::string& folder);

}  // namespace askfew
