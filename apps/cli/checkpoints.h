#pragma once

#include <cstdint>
#include <string>

#include "askfew/models/model.h"

namespace askfew::cli {

/// Writes the model of a run whenever enough rounds are done, so that a good one is on disk whatever becomes
/// of the run.
class Checkpoints {
 public:
  /// `remains` is set to what an error may say of the last model written.
  /// REQUIRES: model and remains outlive it.
  Checkpoints(std::string path, std::uint64_t every, const Model& model, std::string& remains);

  /// To be called at the end of a block, with the rounds of this run. THROWS: FileError, ModelError; the last
  /// model stays.
  void operator()(std::uint64_t rounds);

 private:
  std::string path_;
  std::uint64_t every_;
  const Model& model_;
  std::string& remains_;
  std::uint64_t saved_ = 0;  // rounds of this run that are in the last model
};

}  // namespace askfew::cli
