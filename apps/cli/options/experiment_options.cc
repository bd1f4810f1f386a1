#include "apps/cli/options/experiment_options.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

#include "askfew/config/text.h"

namespace askfew::cli {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> pieces(1);
  for (const char c : text) {
    if (c == ',') {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  return pieces;
}

std::string text_of_seconds(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  return fmt::format("{:.0f} min", std::ceil(seconds / 60));
}

}  // namespace

double parse_share(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [past, error] = fast_float::from_chars(text.data(), end, value);
  const bool percent = past + 1 == end && *past == '%';
  if (percent) value /= 100;
  if (error != std::errc{} || (past != end && !percent) || !(value > 0) || value > 1) {
    throw ConfigError(
        fmt::format("{} is not a share of labels, accepted: 0.1% to 100%, or 0.001 to 1", in_quotes(text)));
  }
  return value;
}

std::vector<double> parse_shares(const std::string& text) {
  std::vector<double> shares;
  for (const std::string& piece : split(text)) shares.push_back(parse_share(piece));
  std::sort(shares.begin(), shares.end());
  shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
  return shares;
}

std::vector<NamedSampler> parse_samplers(const std::string& text) {
  std::vector<std::string> specs;
  for (const std::string& piece : split(text)) {
    const bool goes_on =
        !specs.empty() && piece.find('=') != std::string::npos && piece.find(':') == std::string::npos;
    if (goes_on) {
      specs.back() += "," + piece;
    } else {
      specs.push_back(piece);
    }
  }
  std::vector<NamedSampler> samplers;
  for (const std::string& spec : specs) samplers.push_back({spec, parse_preset(spec)});
  return samplers;
}

void ExperimentData::add_to(CLI::App& command) {
  data.add_to(command);
  data.add_cache_to(command);
  reading.labels.add_to(command);
  reading.add_reading_to(command);
}

ExperimentData::Loaded ExperimentData::load(const std::atomic<bool>& interrupted) const {
  if (reading.labels.multiclass)
    throw ConfigError("--multiclass is not for experiments: each label is a task");
  const ModelConfig config = reading.config(data, &interrupted);
  const auto skipped = std::make_shared<Skipped>();
  const auto stream = data.open(config, skipped, &interrupted);
  FeatureState features(config.features);
  Loaded loaded{.tasks = {},
                .dataset = Dataset::read(*stream, config.labels.labelling(*stream), features),
                .normalized = config.features.normalize};
  std::cerr << askfew::cli::text_of(*skipped);
  if (loaded.dataset.size() == 0) throw DataError({.why = "no example in it", .file = data.name()});
  if (loaded.dataset.tasks() == config.labels.names.size()) loaded.tasks = config.labels.names;
  return loaded;
}

void check_norms(const std::vector<NamedSampler>& samplers, const Dataset& data) {
  constexpr double tolerance = 1e-6;
  const auto is_unit = [&](std::size_t row) {
    const double squares = data.x(row).squared_norm();
    return squares == 0 || std::abs(squares - 1) <= tolerance;
  };
  for (const NamedSampler& sampler : samplers) {
    if (!learner_info(sampler.config.learner).unit_norm) continue;
    for (std::size_t row = 0; row < data.size(); ++row) {
      if (is_unit(row)) continue;
      throw ConfigError(fmt::format("{} needs instances of norm 1: give --normalize", sampler.name));
    }
  }
}

JobsProgress::JobsProgress(std::string name, bool quiet)
    : name_(std::move(name)), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

JobsProgress::~JobsProgress() {
  if (terminal_ && printed_) fmt::print(stderr, "\r{:78}\r", "");
}

void JobsProgress::operator()(const JobsDone& done) {
  const Clock::time_point now = Clock::now();
  if (!begun_ || done.cost < cost_) begun_ = {now, done.cost};  // the first, or other jobs than before
  cost_ = done.cost;
  const auto between = terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(20);
  if (quiet_ || (printed_ && now - last_ < between)) return;
  last_ = now;
  printed_ = true;
  const double seconds = std::chrono::duration<double>(now - begun_->time).count();
  const double cost = done.cost - begun_->cost;
  const double left = cost > 0 ? seconds * (done.of_cost - done.cost) / cost : 0;
  fmt::print(stderr, "{}{}: {} of {} jobs{}{}", terminal_ ? "\r" : "", name_, done.jobs, done.of_jobs,
             cost > 0 ? fmt::format(", about {} left", text_of_seconds(left)) : "",
             terminal_ ? "                 " : "\n");
  static_cast<void>(std::fflush(stderr));
}

}  // namespace askfew::cli
