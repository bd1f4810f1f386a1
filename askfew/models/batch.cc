#include "askfew/models/batch.h"

#include <algorithm>
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

std::string complaint_of_time(std::int64_t time) {
  constexpr std::int64_t end_of_year_9999 = 253'402'300'799;
  if (time == Examples::no_time) {
    return "a budget for every day, hour or week needs examples with a time, and this one has none";
  }
  if (time <= end_of_year_9999) return "";
  return fmt::format(
      "time {} is after the year 9999: give seconds since 1970, which are milliseconds divided by 1000",
      time);
}

tl::expected<void, ParseError> StreamBatch::advance(std::uint64_t rows) {
  set({}, {}, labelling_.tasks(), {});
  instances_.clear();
  times_.clear();
  ids_.clear();
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
  const std::span<const Label> labels(labels_);
  set(instances_, labels.first(instances_.size() * labelling_.tasks()), labelling_.tasks(), times_, ids_);
  return {};
}

tl::expected<void, ParseError> StreamBatch::accept(std::size_t row) {
  const std::size_t labels_before = instances_.size() * labelling_.tasks();
  if (labels_.size() < labels_before + labelling_.tasks()) labels_.resize(labels_before + labelling_.tasks());
  const auto refuse = [&](std::string why) {
    const std::uint64_t line = examples_.line(row);
    return tl::make_unexpected(ParseError{
        .line = line, .column = line > 0 ? 1U : 0U, .why = std::move(why), .file = stream_.name()});
  };
  const std::span<Label> labels = std::span(labels_).subspan(labels_before, labelling_.tasks());
  if (const auto* const stranger = labelling_.stranger(examples_.labels(row))) {
    return refuse(labelling_.refusal_of(stream_.label_name(*stranger)));
  }
  if (auto assigned = labelling_.assign(examples_.labels(row), labels); !assigned) {
    return refuse(assigned.error());
  }
  if (options_.features != nullptr) options_.features->finish(examples_, row, 1);
  const FeatureView x = examples_.x(row);
  if (options_.unit_norm || !std::isfinite(x.squared_norm())) {
    if (std::string why = complaint_of_norm(x.squared_norm(), options_.unit_norm); !why.empty()) {
      return refuse(std::move(why));
    }
  }
  if (options_.timed) {
    if (std::string why = complaint_of_time(examples_.time(row)); !why.empty()) return refuse(std::move(why));
  }
  instances_.push_back(x);
  if (options_.timed) times_.push_back(examples_.time(row));
  ids_.push_back(examples_.id(row));
  return {};
}

MemoryBatch::MemoryBatch(MemoryRows& rows, std::span<const Label> labels, std::size_t tasks,
                         std::span<const std::int64_t> times, const FeatureOptions& changes,
                         const BatchOptions& options)
    : rows_(rows),
      labels_(labels),
      tasks_(tasks),
      times_(times),
      changes_(changes),
      options_(options),
      in_place_(changes.bias == 0 && !changes.normalize && !changes.need_state() && rows.size() > 0 &&
                rows.in_place(0).has_value()) {
  if (labels.size() != rows.size() * tasks) {
    throw ConfigError(
        fmt::format("{} rows and {} labels: each row needs {}", rows.size(), labels.size(), tasks));
  }
  if (options.timed && times.size() != rows.size()) {
    throw ConfigError(
        fmt::format("{} rows and {} times: a budget for every day, hour or week needs a time for each row",
                    rows.size(), times.size()));
  }
}

tl::expected<void, ParseError> MemoryBatch::advance(std::uint64_t rows) {
  const std::size_t first = next_;
  const std::size_t past = std::min<std::size_t>(rows_.size(), first + rows);
  instances_.clear();
  examples_.clear();
  for (; next_ < past; ++next_) {
    if (in_place_) {
      instances_.push_back(*rows_.in_place(next_));
      continue;
    }
    append_row(rows_, next_, {}, changes_, examples_);
    if (options_.features != nullptr) options_.features->finish(examples_, next_ - first, 1);
  }
  for (std::size_t row = 0; !in_place_ && row < examples_.size(); ++row)
    instances_.push_back(examples_.x(row));
  for (std::size_t row = 0; row < instances_.size(); ++row) {
    if (std::string why = complaint_of_norm(instances_[row].squared_norm(), options_.unit_norm);
        !why.empty()) {
      return tl::make_unexpected(
          ParseError{.why = std::move(why), .file = fmt::format("X[{}]", first + row)});
    }
  }
  const std::size_t count = instances_.size();
  for (std::size_t row = first; options_.timed && row < past; ++row) {
    if (std::string why = complaint_of_time(times_[row]); !why.empty())
      return tl::make_unexpected(ParseError{.why = std::move(why), .file = fmt::format("X[{}]", row)});
  }
  set(instances_, labels_.subspan(first * tasks_, count * tasks_), tasks_,
      options_.timed ? times_.subspan(first, count) : std::span<const std::int64_t>());
  return {};
}

}  // namespace askfew
