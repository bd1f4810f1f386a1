#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "askfew/models/model.h"
#include "askfew/sessions/incoming.h"
#include "askfew/sessions/label_queue.h"
#include "askfew/sessions/outcome.h"
#include "askfew/sessions/session_monitor.h"
#include "askfew/sessions/shared_answers.h"

namespace askfew {

/// A model that takes instances and labels as they come; labels may come at any later time and in any order.
/// A stream, a replayed ledger and a service all use this class: the same lines at the same times give the
/// same outcomes and the same model, bit for bit.
class Session {
 public:
  /// REQUIRES: the model is in exact mode, because its numbers are recorded. THROWS: ConfigError for a model
  /// that has several tasks, and for volunteered labels that cannot be learned.
  /// `memory`: the limit that the model was made with; questions count against it.
  Session(Model model, const LabelQueue::Options& options, const SharedLimit& memory = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  Session(Session&&) = delete;
  Session& operator=(Session&&) = delete;
  ~Session() = default;

  /// Parses lines; changes only the reader.
  [[nodiscard]] IncomingReader& reader() { return *reader_; }

  /// Marks instances as `no_room`, with the reason, if there might not be memory for all lines of the group.
  /// This depends on the memory limit, which the ledger does not contain, so it must be decided before the
  /// lines are recorded. Whether a label will be asked is known only later, so every instance counts.
  void admit(std::span<Incoming> lines) const;
  /// Sets the time, in microseconds since 1970: questions that are too old expire. A time before the last
  /// time counts as the last time. This call does not change the outcomes of later lines.
  void advance_to(std::int64_t time);
  /// Takes an instance or a label that came at this time; the time is treated as in `advance_to`. An instance
  /// for which there is no memory is refused and changes nothing. REQUIRES: the line is an instance, a label,
  /// both, or changes settings.
  Outcome take(Incoming& incoming, std::int64_t time) { return take(incoming, time, nullptr); }
  /// The same for a line of a ledger. Its outcome follows from the earlier lines, except for two facts that
  /// the ledger records: whether there was memory, and whether a repeated instance counted as a new instance
  /// (as in format 1). THROWS: MemoryError, if the limit is not lifted.
  Outcome take_again(Incoming& incoming, std::int64_t time, const Outcome& recorded) {
    return take(incoming, time, &recorded);
  }

  /// What would be decided about this instance now, as far as it is known without a coin: the prediction, the
  /// margin and the probabilities. Only the row of the instance changes. THROWS: NumericError; DataError for
  /// a norm that the sampler does not accept. REQUIRES: the line is an instance.
  [[nodiscard]] Decision peek(Incoming& incoming) const;

  /// The explanation and the score of the decision about the last instance; changes nothing. REQUIRES: this
  /// is the last instance, and it was not refused.
  struct Explained {
    Explanation why;
    Score score;
  };
  [[nodiscard]] Explained explain_last(const Incoming& incoming) const;

  /// The last time that was set; 0: never set.
  [[nodiscard]] std::int64_t time() const { return time_; }
  [[nodiscard]] const Model& model() const { return model_; }
  /// Null: no limit.
  [[nodiscard]] MemoryLimit* memory() const { return memory_.get(); }

  /// The settings that may change.
  [[nodiscard]] LiveSettings settings() const;

  struct Counts {
    std::uint64_t waiting = 0;  ///< number of unanswered questions
    std::uint64_t expired = 0;  ///< number of expired questions, not of labels that came too late
    std::uint64_t refused = 0;  ///< number of instances
    std::uint64_t repeats = 0;  ///< number of repeated instances
    std::array<std::uint64_t, label_outcomes> labels{};
  };
  [[nodiscard]] Counts counts() const;
  /// The round of the unanswered question with this id, as in Incoming::id; 0 if there is none.
  [[nodiscard]] std::uint64_t waits(std::string_view id) const { return queue_.waits(id); }
  /// The ids of the unanswered questions, the oldest first, as in Incoming::id.
  [[nodiscard]] std::vector<std::string> waiting_ids() const { return queue_.waiting_ids(); }
  /// The unanswered questions in this order, at most so many. Valid until the session takes a line.
  [[nodiscard]] std::vector<LabelQueue::Waiting> pending(const PendingRequest& request) const;
  /// Questions on which people disagree and that nobody has settled, while they are kept, at most so many.
  /// Valid until the session takes a line.
  [[nodiscard]] std::vector<LabelQueue::Waiting> disputed(std::uint64_t limit) const;
  [[nodiscard]] const SharedAnswers& shared_answers() const { return shared_; }
  /// The quality of the predictions and the changes; null without an audit.
  [[nodiscard]] const SessionMonitor* watch() const { return watch_ ? &*watch_ : nullptr; }

 private:
  Outcome take(Incoming& incoming, std::int64_t time, const Outcome* recorded);
  Outcome take_instance(Incoming& incoming, const Outcome* recorded);
  Outcome take_label(const Incoming& incoming, const Outcome* recorded);
  /// An instance with its label: learned without a round, unless the label was asked.
  Outcome take_labelled(Incoming& incoming, const Outcome* recorded);
  Outcome take_settings(const SettingsChange& change);
  void set_settings(const LiveSettings& settings);
  /// The parts that depend on the model's configuration.
  void set_up_reader();
  void set_up_monitor(std::uint64_t rounds_before);
  /// Completes the features of an instance; returns a refusal if the sampler does not accept it.
  std::optional<Refusal> finish_features(Incoming& incoming);
  struct Learned {
    bool updated = false;
    std::optional<Refusal> refusal{};  ///< no memory: nothing was learned
    std::exception_ptr failure{};      ///< the label counts as given, but cannot be learned
  };
  Learned learn(const Question& question, LabelNumber label, const Outcome* recorded);
  struct AnswerNote {
    Vote vote;
    bool settles = false;  ///< decides what people disagree on
  };
  [[nodiscard]] AnswerNote note_of(const Incoming& incoming) const;
  /// Keeps an answer that decides nothing, or nothing new.
  Outcome collect(const Incoming& incoming, const std::vector<Vote>& votes);
  /// Returns whether the answers have changed.
  bool set_votes(std::string_view id, const std::vector<Vote>& votes);
  /// The number of people who answer the question of this round.
  [[nodiscard]] std::uint32_t people_for(std::uint64_t round) const;
  /// The refusal of an instance for which there is no memory; nothing if there is memory.
  [[nodiscard]] std::optional<Refusal> refusal_of_instance(const Incoming& incoming) const;
  Round ask(const FeatureView& x);
  /// The question as it would be if the label had been asked for sure.
  [[nodiscard]] Question as_asked(const FeatureView& x) const;
  /// THROWS: MemoryError, and then nothing is learned.
  bool tell(const Question& question, LabelNumber label);
  /// Probabilities are calibrated by asked labels only.
  void calibrate(const Question& question, LabelNumber label);
  [[nodiscard]] const Tally& tally() const { return model_.tally(0); }

  Model model_;
  bool unit_norm_;
  std::optional<OneVsRest> classes_;
  std::optional<IncomingReader> reader_;  // always there; made anew in its place
  SharedLimit memory_;
  LabelQueue queue_;
  std::unique_ptr<QualityMonitor> class_watch_;  // for all classes together; a single task has its own
                                                 // monitor
  std::optional<SessionMonitor> watch_;
  std::vector<std::string> annotators_;
  SharedAnswers shared_;
  Counts counts_;
  Query last_query_;
  std::int64_t time_ = 0;
};

}  // namespace askfew
