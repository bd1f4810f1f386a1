#include "askfew/service/folder_ledgers.h"

#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <random>

#include "askfew/core/errors.h"
#include "askfew/system/atomic_file.h"

namespace askfew {
namespace {

namespace fs = std::filesystem;

/// The folder's name among all folders, and where its ledgers are.
struct Binding {
  std::string id;
  std::string ledgers;
};

std::string place_in(const std::string& folder) {
  return folder + "/ledgers";
}

Binding read_binding(const std::string& folder) {
  Binding binding;
  std::ifstream file(place_in(folder));
  std::getline(file, binding.id);
  std::getline(file, binding.ledgers);
  return binding;
}

void write_binding(const std::string& folder, const Binding& binding) {
  AtomicFile file(place_in(folder));
  file.stream() << binding.id << '\n' << binding.ledgers << '\n';
  file.commit();
}

/// Has any project of the folder a file of this name?
bool has_any(const std::string& folder, const char* name) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder + "/projects", error)) {
    if (fs::exists(entry.path() / name)) return true;
  }
  return false;
}

std::string new_id() {
  std::random_device random;
  std::string id;
  for (int k = 0; k < 4; ++k) id += fmt::format("{:08x}", random());
  return id;
}

}  // namespace

std::string ledgers_of_folder(const std::string& folder) {
  return read_binding(folder).ledgers;
}

void bind_ledgers(const std::string& folder, LedgerCollection* ledgers) {
  Binding binding = read_binding(folder);
  if (ledgers == nullptr) {
    if (binding.id.empty()) return;
    throw ConfigError(
        fmt::format("{}: the ledgers of this folder are in {}, not in files", folder, binding.ledgers));
  }
  const std::string owner = ledgers->owner();
  if (!owner.empty() && owner == binding.id) return;
  if (!owner.empty()) {
    throw ConfigError(
        fmt::format("{}: these ledgers belong to another folder of projects than {}: all servers of these "
                    "ledgers need one "
                    "folder, on a disk that they share, or another name, as ?ledger=NAME",
                    ledgers->name(), folder));
  }
  if (has_any(folder, "ledger"))
    throw ConfigError(
        folder + ": projects of this folder have their ledgers in files: give the database a new folder");
  if (has_any(folder, "settings.json"))
    throw ConfigError(
        fmt::format("{} has no ledgers of this folder; they are in {}", ledgers->name(), binding.ledgers));
  if (binding.id.empty()) binding.id = new_id();
  binding.ledgers = ledgers->name();
  write_binding(folder, binding);
  ledgers->set_owner(binding.id);
}

}  // namespace askfew
