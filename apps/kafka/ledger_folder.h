#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace askfew::kafka {

/// The folder with the ledgers of all partitions, and with a random name of its own, its identity. Processes
/// that share the partitions must share this folder: a partition that moves is continued by its ledger, and
/// only one process at a time can lock a ledger.
class LedgerFolder {
 public:
  /// Makes the folder and its identity if they are not there. `shard`: of the topics that all ledgers have,
  /// as "3/8"; empty: all. THROWS: ConfigError for a folder of another shard, and for a file system of other
  /// machines, whose locks may be lost while a process still writes; FileError.
  LedgerFolder(const std::string& path, const std::string& shard);

  /// The path of what belongs to a partition, without an ending.
  [[nodiscard]] std::string place(std::string_view topic, std::int32_t partition) const;
  [[nodiscard]] const std::string& identity() const { return identity_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string identity_;
};

}  // namespace askfew::kafka
