#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "askfew/models/live_tasks.h"
#include "askfew/models/model.h"
#include "askfew/sessions/incoming.h"
#include "askfew/sessions/label_queue.h"
#include "askfew/sessions/outcome.h"
#include "askfew/sessions/session_monitor.h"
#include "askfew/sessions/shared_answers.h"

namespace askfew {

/// A model that takes instances and labels as they come; labels may come at any later time and in any order.
/// The model has one task, or topics: then an instance has a decision and a label for each of them.
/// A stream, a replayed ledger and a service all use this class: the same lines at the same times give the
/// same outcomes and the same model, bit for bit.
class Session {
 public:
  /// The names of a session's own tensors in a snapshot, before the first dot.
  static constexpr std::string_view part_name = "session";

  /// REQUIRES: the model is in exact mode, because its numbers are recorded. THROWS: ConfigError for
  /// volunteered labels that cannot be learned. `memory`: the limit that the model was made with; questions
  /// count against it.
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
  /// margin and the probabilities, one per task. Only the row of the instance changes. THROWS: NumericError;
  /// DataError for a norm that the sampler does not accept. REQUIRES: the line is an instance.
  [[nodiscard]] std::vector<Decision> peek(Incoming& incoming) const;

  /// The explanation of the decision about a task of the last instance, and the score from which the rule
  /// decided; changes nothing. REQUIRES: this is the last instance, and it was not refused.
  struct Explained {
    Explanation why;
    Score score;
  };
  [[nodiscard]] Explained explain_last(const Incoming& incoming, std::uint32_t task) const;

  /// Everything that lines and times have made of the session: its model, and tensors whose names begin with
  /// `session.`. THROWS: ModelError if a number of the model is not finite.
  [[nodiscard]] Snapshot snapshot() const;
  /// Continues from such a snapshot, which may have other tensors, too: the session then gives the answers
  /// that the saved session would give, bit for bit. REQUIRES: no line was taken. THROWS: ModelError,
  /// MemoryError; then the session is of no use.
  void restore(const Snapshot& snapshot);
  /// What the session has beside its model, as a snapshot has it.
  static void state(auto& self, auto& visit) {
    visit("queue", self.queue_);
    visit("input_format", self.model_.config.input_format);
    visit("annotators", self.annotators_);
    visit("shared", self.shared_);
    visit("counts", self.counts_);
    visit("task_counts", self.task_counts_);
    visit("time", self.time_);
    if (self.class_watch_ != nullptr) visit("class_watch", *self.class_watch_);
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(self)>>) {
      visit("rounds_before", self.rounds_before());
      visit("fixed", self.reader_->fixed());
    } else {
      std::vector<std::uint64_t> rounds_before;
      IncomingReader::Fixed fixed;
      visit("rounds_before", rounds_before);
      visit("fixed", fixed);
      self.settle(rounds_before, fixed);
    }
  }

  /// The last time that was set; 0: never set.
  [[nodiscard]] std::int64_t time() const { return time_; }
  [[nodiscard]] const Model& model() const { return model_; }
  /// Null: no limit.
  [[nodiscard]] MemoryLimit* memory() const { return memory_.get(); }

  /// The settings that may change.
  [[nodiscard]] LiveSettings settings() const;

  struct LabelCounts {
    std::uint64_t waiting = 0;  ///< number of unanswered questions
    std::uint64_t expired = 0;  ///< number of expired questions, not of labels that came too late
    std::array<std::uint64_t, label_outcomes> labels{};

    /// Without `waiting`, which the questions tell.
    static void state(auto& self, auto& visit) {
      visit("expired", self.expired);
      visit("labels", self.labels);
    }
  };
  /// The labels of all tasks together; a question with several topics is one question.
  struct Counts : LabelCounts {
    std::uint64_t refused = 0;  ///< number of instances
    std::uint64_t repeats = 0;  ///< number of repeated instances

    static void state(auto& self, auto& visit) {
      LabelCounts::state(self, visit);
      visit("refused", self.refused);
      visit("repeats", self.repeats);
    }
  };
  [[nodiscard]] Counts counts() const;
  /// Of each task.
  [[nodiscard]] std::vector<LabelCounts> counts_by_task() const;
  /// The round of the unanswered question with this id, as in Incoming::id; 0 if there is none.
  [[nodiscard]] std::uint64_t waits(std::string_view id) const { return queue_.waits(id); }
  /// The last instance with this id, asked or not, while it is kept; else null. Valid until the session takes
  /// a line.
  [[nodiscard]] const Question* find(std::string_view id) const { return queue_.find(id); }
  /// The ids of the unanswered questions, the oldest first, as in Incoming::id.
  [[nodiscard]] std::vector<std::string> waiting_ids() const { return queue_.waiting_ids(); }
  /// The unanswered questions in this order, at most so many. Valid until the session takes a line.
  [[nodiscard]] std::vector<LabelQueue::Waiting> pending(const PendingRequest& request) const;
  /// Questions on which people disagree and that nobody has settled, while they are kept, at most so many.
  /// Valid until the session takes a line.
  [[nodiscard]] std::vector<LabelQueue::Waiting> disputed(std::uint64_t limit) const;
  /// What several people said, of each task.
  [[nodiscard]] std::span<const SharedAnswers> shared_answers() const { return shared_; }
  /// The quality of the predictions and the changes, of each task, or of all classes; empty without an audit.
  [[nodiscard]] std::span<const SessionMonitor> monitors() const { return monitors_; }
  /// The decisions of all tasks together; of topics that are asked together, the decisions about documents.
  [[nodiscard]] Tally tally() const;
  /// The decisions about a task, and the updates of its learner.
  [[nodiscard]] Tally tally(std::size_t task) const;
  /// The number of instances with an asked label; nothing if an earlier version did not count them.
  [[nodiscard]] std::optional<std::uint64_t> opened() const;
  /// Has an instance several labels?
  [[nodiscard]] bool has_topics() const { return model_.config.labels.has_topics(); }
  /// The number of decisions about an instance: one per topic, else one.
  [[nodiscard]] std::size_t task_count() const { return tasks_->rounds_an_instance(); }

 private:
  Outcome take(Incoming& incoming, std::int64_t time, const Outcome* recorded);
  Outcome take_instance(Incoming& incoming, const Outcome* recorded);
  Outcome take_label(const Incoming& incoming, const Outcome* recorded);
  /// An instance with its labels: learned without a round, unless the labels were asked.
  Outcome take_labelled(Incoming& incoming, const Outcome* recorded);
  Outcome take_settings(const SettingsChange& change);
  void set_settings(const LiveSettings& settings);
  /// The parts that depend on the model's configuration.
  void set_up_reader();
  void set_up_tasks();
  /// `rounds_before`: of each task, see SessionMonitor.
  void set_up_monitors(std::span<const std::uint64_t> rounds_before);
  /// Of each monitor.
  [[nodiscard]] std::vector<std::uint64_t> rounds_before() const;
  /// Makes what follows from a state that was loaded. THROWS: ModelError if its parts do not fit together.
  void settle(std::span<const std::uint64_t> rounds_before, const IncomingReader::Fixed& fixed);
  /// Completes the features of an instance; returns a refusal if the sampler does not accept it.
  std::optional<Refusal> finish_features(Incoming& incoming);

  /// What a line says about one task, and what the session makes of it.
  struct Answer {
    GivenLabel given;
    bool unsure = false;
    std::optional<std::vector<Vote>> votes{};  ///< of several people, with this answer
    bool decides = true;                       ///< false: one more vote, which decides nothing new
    bool is_known = false;                     ///< the same vote has come before
    bool teaches = false;                      ///< the learner gets the label
    bool updated = false;
  };
  /// The labels that the line gives, also for topics that it does not name.
  void read_answers(const Incoming& incoming);
  /// Combines the answers with those that other people gave. Returns whether the line settles a dispute.
  bool count_votes(const Incoming& incoming);
  struct Learned {
    std::optional<Refusal> refusal{};  ///< no memory: nothing was learned
    std::exception_ptr failure{};      ///< a label counts as given, but cannot be learned
  };
  /// Gives the answers that teach to the learners. `question`: null if the instance had no round.
  Learned learn(const FeatureView& x, const Question* question, const Outcome* recorded);
  /// Returns the first failure of a task: its label cannot be learned. `volunteered`: rounds for labels that
  /// were not asked. THROWS: MemoryError, and then nothing is learned.
  std::exception_ptr tell(const FeatureView& x, const Question* question, std::span<const Round> volunteered);
  /// Takes the answers into the queue, and writes a receipt for each.
  void close_answers(const Incoming& incoming, bool settles);
  void add_receipt(const Answer& answer, const LabelQueue::Taken& taken, const Question* question);
  /// One receipt, or those of topics.
  [[nodiscard]] Outcome outcome_of_receipts() const;
  /// Returns whether the answers have changed.
  bool set_votes(std::string_view id, std::uint32_t task, const std::vector<Vote>& votes);
  void keep_volunteered(const Incoming& incoming, const FeatureView& x);
  /// The number of people who answer the question of this round.
  [[nodiscard]] std::uint32_t people_for(std::uint64_t round) const;
  /// The refusal of an instance for which there is no memory; nothing if there is memory.
  [[nodiscard]] std::optional<Refusal> refusal_of_instance(const Incoming& incoming) const;
  [[nodiscard]] std::size_t bytes_of(const Incoming& incoming) const;
  /// Rounds as they would be if the labels had been asked for sure.
  [[nodiscard]] std::vector<Round> as_asked(const FeatureView& x) const;
  [[nodiscard]] Outcome decisions(const Question& question) const;
  /// Probabilities are calibrated by asked labels only.
  void calibrate(const TaskQuestion& question, const GivenLabel& given);
  [[nodiscard]] std::uint64_t rounds() const { return model_.tally(0).round; }

  // The state: what it was made with and what lines have changed.
  Model model_;
  SharedLimit memory_;
  LabelQueue queue_;
  std::unique_ptr<QualityMonitor> class_watch_;  // for all classes together; other tasks have their own
  std::vector<SessionMonitor> monitors_;         // see `monitors`
  std::vector<std::string> annotators_;
  std::vector<SharedAnswers> shared_;  // by task
  Counts counts_;
  std::vector<LabelCounts> task_counts_;  // by task
  std::int64_t time_ = 0;

  // What follows from the state.
  bool unit_norm_;
  std::optional<LiveTasks> tasks_;        // always there; made anew in its place
  std::optional<IncomingReader> reader_;  // as above

  // Of the last line.
  std::vector<Round> rounds_;
  std::vector<TaskQuestion> questions_;
  std::vector<Answer> answers_;
  std::vector<GivenLabel> given_;
  std::vector<LabelQueue::Taken> taken_;
  std::vector<LabelReceipt> receipts_;
};

}  // namespace askfew
