#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "askfew/models/model.h"
#include "askfew/sessions/incoming.h"
#include "askfew/sessions/label_queue.h"
#include "askfew/sessions/outcome.h"
#include "askfew/sessions/session_monitor.h"

namespace askfew {

/// A model that takes instances and labels as they come, labels any time later and in any order. A stream, a
/// ledger that is replayed and a service all go through here: the same lines at the same times give the same
/// outcomes and the same model, to the bit.
class Session {
 public:
  /// REQUIRES: the model is exact: what it says is kept. THROWS: ConfigError for a model that is not of one
  /// task.
  /// `memory`: what the model was made with; questions count against it.
  Session(Model model, const LabelQueue::Options& options, const SharedLimit& memory = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  Session(Session&&) = delete;
  Session& operator=(Session&&) = delete;
  ~Session() = default;

  /// What a line says; it changes nothing but the reader.
  [[nodiscard]] IncomingReader& reader() { return reader_; }

  /// Of lines that are taken together, instances that there might be no memory for become `no_room`, with the
  /// reason. Whether there is depends on the limit, which the ledger does not know, so it is to be found out
  /// before they are recorded; and whether they are asked is known only later, so all count.
  void admit(std::span<Incoming> lines) const;
  /// It is this time now, in microseconds since 1970: questions that are too old expire. A time before the
  /// last one counts as the last one. Lines that come later have the same outcomes as without.
  void advance_to(std::int64_t time);
  /// Takes an instance or a label that came at this time, as above. What there is no memory for is refused,
  /// and leaves nothing behind. REQUIRES: it is one of the two.
  Outcome take(Incoming& incoming, std::int64_t time) { return take(incoming, time, nullptr); }
  /// The same for a line of a ledger. Its outcome follows from the lines before it, but for two things that
  /// the ledger knows: whether there was memory, and whether an instance that came again counted as another
  /// one (as in format 1). THROWS: MemoryError, if the limit is not lifted.
  Outcome take_again(Incoming& incoming, std::int64_t time, const Outcome& recorded) {
    return take(incoming, time, &recorded);
  }

  /// Why the instance that was taken last was decided so, and by which score; it changes nothing. REQUIRES:
  /// this is that instance, and it was not refused.
  struct Explained {
    Explanation why;
    Score score;
  };
  [[nodiscard]] Explained explain_last(const Incoming& incoming) const;

  /// The last time that it was told; 0: none was.
  [[nodiscard]] std::int64_t time() const { return time_; }
  [[nodiscard]] const Model& model() const { return model_; }
  /// Null: no limit.
  [[nodiscard]] MemoryLimit* memory() const { return memory_.get(); }

  struct Counts {
    std::uint64_t waiting = 0;  ///< questions without an answer
    std::uint64_t expired = 0;  ///< questions, not labels that came too late
    std::uint64_t refused = 0;  ///< instances
    std::uint64_t repeats = 0;  ///< instances that came again
    std::array<std::uint64_t, label_outcomes> labels{};
  };
  [[nodiscard]] Counts counts() const;
  /// How good the predictions are, and what changed; null without an audit.
  [[nodiscard]] const SessionMonitor* watch() const { return watch_ ? &*watch_ : nullptr; }

 private:
  Outcome take(Incoming& incoming, std::int64_t time, const Outcome* recorded);
  Outcome take_instance(Incoming& incoming, const Outcome* recorded);
  Outcome take_label(const Incoming& incoming, const Outcome* recorded);
  /// Of an instance that there is no memory for; nothing if there is.
  [[nodiscard]] std::optional<Refusal> refusal_of_instance(const Incoming& incoming) const;
  Round ask(const FeatureView& x);
  /// THROWS: MemoryError, and then nothing is learned.
  bool tell(const Question& question, LabelNumber label);
  [[nodiscard]] const Tally& tally() const { return model_.tally(0); }

  Model model_;
  bool unit_norm_;
  std::optional<OneVsRest> classes_;
  IncomingReader reader_;
  SharedLimit memory_;
  LabelQueue queue_;
  std::unique_ptr<QualityMonitor> class_watch_;  // of classes together; a single task has its own
  std::optional<SessionMonitor> watch_;
  Counts counts_;
  Query last_query_;
  std::int64_t time_ = 0;
};

}  // namespace askfew
