#include "apps/cli/outputs.h"

#include <algorithm>
#include <iostream>

#include "apps/cli/interrupt.h"

namespace askfew::cli {

Outputs::Outputs(std::vector<FilePlace> wanted, const std::vector<FilePlace>& inputs)
    : wanted_(std::move(wanted)), files_(wanted_.size()) {
  check_apart(inputs, wanted_);
  for (std::size_t k = 0; k < wanted_.size(); ++k) {
    if (!wanted_[k].path.empty()) files_[k].emplace(wanted_[k].path, &std::cout, &interrupted_flag());
  }
}

std::ostream* Outputs::of(std::string_view role) {
  const auto found = std::find_if(wanted_.begin(), wanted_.end(),
                                  [&](const FilePlace& output) { return output.role == role; });
  auto& file = files_.at(static_cast<std::size_t>(found - wanted_.begin()));
  return file ? &file->stream() : nullptr;
}

bool Outputs::take_standard_output() const {
  return std::any_of(wanted_.begin(), wanted_.end(),
                     [](const FilePlace& output) { return output.path == "-"; });
}

void Outputs::commit() {
  for (auto& file : files_) {
    if (file) file->finish();
  }
  for (auto& file : files_) {
    if (file) file->publish();
  }
}

}  // namespace askfew::cli
