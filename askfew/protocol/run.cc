#include "askfew/protocol/run.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <fmt/format.h>

#include "askfew/protocol/worker_pool.h"

namespace askfew {
namespace {

/// Rounds that are read, then learned by all tasks, then reported. A block of text fits the second-level
/// cache.
constexpr std::uint64_t most_rows = 512;
constexpr double norm_tolerance = 1e-6;

/// A block of examples with the label of every task.
class Block {
 public:
  Block(const Labelling& labelling, const RunOptions& options) : labelling_(labelling), options_(options) {}

  /// Reads up to `rows` examples; fewer only at the end of the stream.
  tl::expected<void, ParseError> fill(Stream& stream, std::uint64_t rows) {
    examples_.clear();
    while (examples_.size() < rows) {
      const auto more = stream.read(examples_);
      if (!more && options_.stop != nullptr && *options_.stop) break;  // the signal also ended the read
      if (!more) return tl::make_unexpected(more.error());
      if (!*more) break;
      if (auto accepted = accept_last(); !accepted) return accepted;
    }
    instances_.clear();
    for (std::size_t row = 0; row < examples_.size(); ++row) instances_.push_back(examples_.x(row));
    return {};
  }

  [[nodiscard]] std::size_t size() const { return examples_.size(); }
  [[nodiscard]] std::span<const FeatureView> instances() const { return instances_; }
  [[nodiscard]] Label label(std::size_t row, std::size_t task) const {
    return labels_[row * labelling_.tasks() + task];
  }

 private:
  tl::expected<void, ParseError> accept_last() {
    const std::size_t row = examples_.size() - 1;
    const auto wrong = [&](std::string why) {
      return tl::make_unexpected(ParseError{.line = examples_.line(row), .column = 1, .why = std::move(why)});
    };
    if (options_.normalize) examples_.normalize(examples_.size() - 1);
    const double squared_norm = examples_.x(row).squared_norm();
    if (!std::isfinite(squared_norm)) return wrong("the instance's norm is too large for a number");
    if (options_.unit_norm && squared_norm != 0 && std::abs(squared_norm - 1) > norm_tolerance) {
      return wrong(fmt::format("the instance has norm {:.6g}, this sampler needs norm 1; see --normalize",
                               std::sqrt(squared_norm)));
    }
    labels_.resize(examples_.size() * labelling_.tasks());
    const std::span<Label> labels(labels_.data() + row * labelling_.tasks(), labelling_.tasks());
    if (auto assigned = labelling_.assign(examples_.labels(row), labels); !assigned) {
      return wrong(assigned.error());
    }
    return {};
  }

  const Labelling& labelling_;
  const RunOptions& options_;
  Examples examples_;
  std::vector<FeatureView> instances_;
  std::vector<Label> labels_;
};

/// The rounds of one task over a block. Decisions go to `trace`, one a row, if there is one.
void run_task(Task& task, const Block& block, TraceRow* trace, std::size_t stride) {
  task.sampler->read_ahead(block.instances());
  for (std::size_t row = 0; row < block.size(); ++row) {
    const FeatureView& x = block.instances()[row];
    const Label y = block.label(row, task.label);
    const Query query = task.sampler->ask(x);
    const bool updated = query.asked && task.sampler->tell(x, y, query);
    task.confusion.add(query.prediction, y);
    if (trace != nullptr) trace[row * stride] = {.query = query, .label = y, .updated = updated};
  }
  task.sampler->read_ahead({});  // the block will be filled with others
}

}  // namespace

tl::expected<std::uint64_t, ParseError> run(Stream& stream, const Labelling& labelling,
                                            std::vector<Task>& tasks, const RunOptions& options) {
  const auto workers = static_cast<unsigned>(
      std::clamp<std::size_t>(options.threads, 1, std::max<std::size_t>(1, tasks.size())));
  WorkerPool pool(workers);
  Block block(labelling, options);
  std::vector<TraceRow> trace;
  std::vector<std::exception_ptr> failures(tasks.size());
  const std::function<void(unsigned)> job = [&](unsigned worker) {
    for (std::size_t t = worker; t < tasks.size(); t += workers) {
      try {
        run_task(tasks[t], block, options.trace ? trace.data() + t : nullptr, tasks.size());
      } catch (...) {
        failures[t] = std::current_exception();
      }
    }
  };
  std::uint64_t rounds = 0;
  std::uint64_t report = 1;
  while (options.stop == nullptr || !*options.stop) {
    if (auto filled = block.fill(stream, std::min(most_rows, report - rounds)); !filled) {
      return tl::make_unexpected(filled.error());
    }
    if (block.size() == 0) break;
    if (options.trace) trace.resize(block.size() * tasks.size());
    pool.run(job);
    for (const std::exception_ptr& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
    if (options.trace) {
      for (std::size_t k = 0; k < trace.size(); ++k) {
        trace[k].task = k % tasks.size();
        options.trace(trace[k]);
      }
    }
    rounds += block.size();
    if (options.progress) options.progress(rounds);
    if (rounds == report) report *= 2;
  }
  return rounds;
}

}  // namespace askfew
