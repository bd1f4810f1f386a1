#pragma once

#include <askfew/models/ask_tell.h>
#include <askfew/workflows/options.h>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace askfew::python {

/// The decision about an instance. `x`: the instance's features, if they are not those that the caller gave.
struct QueryObject {
  Round round{};
  std::size_t task = 0;
  bool of_classes = false;
  std::shared_ptr<const Examples> x{};
};

/// One row of a trace; numpy knows the same layout.
struct TraceRow {
  std::uint64_t round = 0;
  double margin = 0;
  double probability = 0;
  double coin = 0;
  std::uint32_t task = 0;
  std::int32_t prediction = 0;  ///< -1 or +1, or the number of the class
  std::int32_t label = 0;
  std::uint8_t asked = 0;
  std::uint8_t audited = 0;
  std::uint8_t updated = 0;
  std::uint8_t padding = 0;
  double audit = 0;
  double audit_coin = 0;
  double chance = 0;  ///< the probability that the label is asked, by the rule or by the audit
};

/// Where a run writes its rounds, row by row; both may be empty.
struct RoundsOut {
  std::span<TraceRow> trace;
  std::span<std::uint8_t>
      answers;  ///< 1: the prediction is positive; + 2: the label was asked. Not of classes
};

/// The model behind askfew.Sampler. It is made when the first instances come, because they have the number of
/// features, and a block of them the length of the stream. Nothing here needs Python.
class SamplerObject {
 public:
  /// `lazy`: see Exactness.
  SamplerObject(const ModelOptions& options, const LabelPlan& labels, bool lazy, std::uint64_t max_memory);

  // Everything that reads or changes the model needs a lock of this mutex: shared for const members.
  [[nodiscard]] std::shared_mutex& mutex() const { return mutex_; }

  /// A dense instance, a sparse one or a text.
  void ask(std::span<const double> x, std::vector<QueryObject>& queries);
  void ask(MemoryRows& one, std::vector<QueryObject>& queries);
  void peek(std::span<const double> x, std::vector<QueryObject>& queries);
  void peek(MemoryRows& one, std::vector<QueryObject>& queries);
  bool tell(std::span<const double> x, LabelNumber label, const QueryObject& query);
  bool tell(MemoryRows& one, LabelNumber label, const QueryObject& query);
  [[nodiscard]] Explanation explain(std::span<const double> x, const QueryObject& query);
  [[nodiscard]] Explanation explain(MemoryRows& one, const QueryObject& query);

  void advance_to(std::int64_t time);
  /// `more`: further blocks will come, so that the length of the stream is not known. `out`: has room for all
  /// rounds. Returns the number of instances that were learned.
  std::uint64_t run(MemoryRows& rows, std::span<const Label> labels, std::span<const std::int64_t> times,
                    bool more, const RoundsOut& out, unsigned threads, const std::atomic<bool>& stop,
                    const std::function<void(std::uint64_t)>& progress);
  /// The margins of all tasks or classes, row by row; a task's prediction is positive where it is above 0,
  /// whatever the aim.
  void margins(MemoryRows& rows, std::span<double> margins) const;

  [[nodiscard]] bool is_made() const { return live_.has_value(); }
  [[nodiscard]] const LabelPlan& labels() const { return labels_; }
  [[nodiscard]] std::size_t tasks() const { return labels_.task_names().size(); }
  [[nodiscard]] std::size_t rounds_an_instance() const {
    return labels_.kind == LabelPlan::Kind::one_per_label ? tasks() : 1;
  }
  /// The dimension of instances; 0: not known or not fixed.
  [[nodiscard]] FeatureView::Index dimension() const;
  [[nodiscard]] Tally tally(std::size_t task) const;
  [[nodiscard]] std::string report() const;
  [[nodiscard]] SamplerConfig config() const;
  /// The margin's weights of a task; nothing if it has none.
  [[nodiscard]] std::optional<LinearForm> linear_form(std::size_t task) const;

  /// The model file. THROWS: ConfigError while there is no model.
  [[nodiscard]] std::string bytes() const;
  void set_bytes(std::string_view bytes);

 private:
  void make(FeatureView::Index dimension, InputKind input, std::uint64_t length);
  /// Instances of this kind and so many features fit the model. THROWS: ConfigError.
  void check_fits(InputKind input, std::size_t dimension) const;
  [[nodiscard]] bool is_plain() const;
  /// A row as the model sees it. `learns`: the features learn from it.
  std::shared_ptr<Examples> settled(MemoryRows& one, bool learns);
  void write(std::span<const Round> rounds, const std::shared_ptr<const Examples>& x,
             std::vector<QueryObject>& queries) const;
  void check(const QueryObject& query, LabelNumber label) const;
  void check_last(const QueryObject& query) const;
  const AskTell& model() const;

  ModelOptions options_;
  LabelPlan labels_;
  bool lazy_;
  SharedLimit memory_;
  mutable std::shared_mutex mutex_;
  std::optional<AskTell> live_;
  std::vector<Round> rounds_;     // scratch
  std::uint64_t last_round_ = 0;  // the round that can be explained; 0: none
};

}  // namespace askfew::python
