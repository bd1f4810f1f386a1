#include "askfew/models/batch.h"

#include <cmath>
#include <fmt/core.h>
#include <utility>

namespace askfew {

std::string complaint_of_norm(double squared_norm, bool unit_norm) {
  constexpr double tolerance = 1e-6;
  if (!std::isfinite(squared_norm)) return "the instance's norm is too large for a number";
  if (!unit_norm || squared_norm == 0 || std::abs(squared_norm - 1) <= tolerance) return "";
  return fmt::format("the instance has norm {:.6g}, this sampler needs norm 1; see `normalize`",
                     std::sqrt(squared_norm));
}

tl::expected<void, ParseError> Batch::advance(std::uint64_t rows) {
  instances_.clear();
  labels_.clear();
  times_.clear();
  while (!error_ && instances_.size() < rows) {
    if (next_ == examples_.size()) {
      if (!instances_.empty()) break;  // the instances are in the block that would be replaced
      next_ = 0;
      const auto more = stream_.next(examples_);
      if (!more) error_ = more.error();
      if (!more || !*more) examples_.clear();
      if (examples_.size() == 0) break;
    }
    if (auto accepted = accept(next_++); !accepted && !stream_.skip(accepted.error())) {
      error_ = accepted.error();
    }
  }
  if (error_ && instances_.empty()) return tl::make_unexpected(*error_);
  return {};
}

tl::expected<void, ParseError> Batch::accept(std::size_t row) {
  labels_.resize((instances_.size() + 1) * labelling_.tasks());
  const auto refuse = [&](std::string why) {
    labels_.resize(instances_.size() * labelling_.tasks());
    const std::uint64_t line = examples_.line(row);
    return tl::make_unexpected(ParseError{
        .line = line, .column = line > 0 ? 1U : 0U, .why = std::move(why), .file = stream_.name()});
  };
  const std::span<Label> labels = std::span(labels_).last(labelling_.tasks());
  if (auto assigned = labelling_.assign(examples_.labels(row), labels); !assigned) {
    return refuse(assigned.error());
  }
  if (features_ != nullptr) features_->finish(examples_, row, 1);
  if (std::string why = complaint_of_norm(examples_.x(row).squared_norm(), unit_norm_); !why.empty()) {
    return refuse(std::move(why));
  }
  if (timed_ && examples_.time(row) == Examples::no_time) {
    return refuse("a budget for every day, hour or week needs examples with a time, and this one has none");
  }
  instances_.push_back(examples_.x(row));
  if (timed_) times_.push_back(examples_.time(row));
  return {};
}

}  // namespace askfew
