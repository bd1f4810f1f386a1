#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "askfew/system/atomic_file.h"

namespace askfew::cli {

/// Is it written as it comes (a pipe, a device) and not as a file that appears whole?
bool is_device(const std::string& path);

/// The files that a command writes. They are opened before any work is done, and appear together when all of
/// it is.
class Outputs {
 public:
  struct Wanted {
    std::string option;
    std::string path;  ///< empty: not wanted
  };

  /// THROWS: FileError if one cannot be written, ConfigError if two are in one place.
  explicit Outputs(std::vector<Wanted> wanted);

  /// Where an output goes, or null if it is not wanted.
  std::ostream* of(const std::string& option);
  /// Does one of them go to standard output?
  [[nodiscard]] bool take_standard_output() const;
  /// THROWS: FileError, and then none of them is there.
  void commit();

 private:
  std::vector<Wanted> wanted_;
  std::vector<std::optional<AtomicFile>> files_;
};

}  // namespace askfew::cli
