#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/system/atomic_file.h"
#include "askfew/system/file_places.h"

namespace askfew::cli {

/// The files that a command writes. They are opened before any work is done, and appear together when all of
/// it is.
class Outputs {
 public:
  /// One without a path is not wanted. THROWS: FileError if one cannot be written, ConfigError if it is the
  /// same file as another one or as an input.
  Outputs(std::vector<FilePlace> wanted, const std::vector<FilePlace>& inputs);

  /// Where an output goes, or null if it is not wanted.
  std::ostream* of(std::string_view role);
  /// Does one of them go to standard output?
  [[nodiscard]] bool take_standard_output() const;
  /// THROWS: FileError, and then none of them is there.
  void commit();

 private:
  std::vector<FilePlace> wanted_;
  std::vector<std::optional<AtomicFile>> files_;
};

}  // namespace askfew::cli
