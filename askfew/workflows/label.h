#pragma once

// The commands `label` and `tell` as functions.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "askfew/sessions/even_clock.h"
#include "askfew/sessions/recorder.h"
#include "askfew/workflows/pool.h"
#include "askfew/workflows/session.h"

// Threads: a Labeller is for one thread at a time.

namespace askfew {

/// A person labels texts of a pool; askfew chooses which.
struct LabelPoolOptions {
  std::string pool{};        ///< see read_pool; texts with a label are learned first and not asked
  TableOptions table{};      ///< the columns of text, id and label
  SessionOptions session{};  ///< with the labels, and the ledger that makes it resumable
  std::string answers{};     ///< the file of the answers, which is read first if it is there
  std::string questions{};   ///< instead: the file that a batch of questions will replace
};

/// A question for the person.
struct LabelQuestion {
  PoolItem item;
  std::string prediction;  ///< the name of a label
  std::string why;         ///< a sentence
};

struct LabelStatus {
  std::uint64_t answered = 0;            ///< with a label
  std::uint64_t skipped = 0;             ///< the person declined
  std::uint64_t seeds = 0;               ///< labels that were learned before the first question
  std::uint64_t held = 0;                ///< answers that can be taken back
  std::uint64_t passed = 0;              ///< texts that were looked at, asked or not
  std::uint64_t pool = 0;                ///< texts of the pool
  std::optional<std::uint64_t> allowed;  ///< labels of the budget
  bool is_spent = false;                 ///< all labels of the budget were asked
  std::map<std::string, std::uint64_t> labels;
  std::optional<double> estimated_f;  ///< with an audit, once enough labels are there
};

/// Asks a person about the texts of a pool, one at a time and in a seeded order, in several passes until the
/// budget is spent. The last answers are held before they are learned, so that they can be taken back. Every
/// answer is in the file at once; the ledger has the rest: after any interruption the same options go on
/// where it ended.
class Labeller {
 public:
  /// THROWS: ConfigError, DataError, FileError, ModelError, MemoryError.
  explicit Labeller(const LabelPoolOptions& options);

  /// The names of the labels that an answer may have.
  [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }
  /// The next text whose label is asked; nothing: the budget is spent, or every text was looked at often
  /// enough. The question stays until it is answered, skipped or left.
  std::optional<LabelQuestion> next();
  /// REQUIRES: the label is one of labels(); there is a question.
  void answer(const std::string& label);
  void skip();
  /// Leaves the question open, for an answer in a file; the next one comes.
  void leave();
  /// Takes the last answer back, and asks it again; false if none is held.
  bool undo();
  /// Learns all answers that are held. THROWS: FileError.
  void finish();

  [[nodiscard]] LabelStatus status();
  [[nodiscard]] const Model& model() const { return live_.session->model(); }

 private:
  Labeller(const LabelPoolOptions& options, const std::vector<PoolItem>& earlier);

  struct Held {
    LabelQuestion question;
    std::optional<std::string> label;  // nothing: skipped
  };

  /// A batch of questions would replace the answers of its file. THROWS: ConfigError if the ledger does not
  /// have them yet.
  void expect_told() const;
  nlohmann::json send(const nlohmann::json& line);
  void learn(const Held& held);
  /// Learns the oldest held answers until so many are left.
  void learn_until(std::size_t rest);
  void hold(std::optional<std::string> label);
  void write_answers() const;
  std::optional<LabelQuestion> look_at(std::size_t place);
  /// The labels that may be asked; nothing: any number.
  [[nodiscard]] std::optional<std::uint64_t> allowed() const;
  [[nodiscard]] bool is_spent() const;
  /// Was the text asked in an earlier pass?
  [[nodiscard]] bool was_asked_before(const PoolItem& item) const;

  LabelPoolOptions options_;
  std::vector<PoolItem> pool_;
  std::vector<std::uint32_t> order_;
  std::vector<std::string> labels_;
  std::map<std::string, std::string> given_;  // labels by id, as in the file; empty: skipped
  std::vector<std::string> given_order_;
  SessionLedger live_;
  EvenClock clock_;
  std::unique_ptr<Recorder> recorder_;
  std::size_t place_ = 0;  // in the order of this pass
  std::uint64_t pass_ = 1;
  std::deque<Held> held_;
  std::optional<LabelQuestion> question_;
  std::deque<LabelQuestion> again_;  // questions that were taken back
};

/// Labels from a file for the questions of a ledger.
struct TellOptions {
  LedgerPlace ledger{};
  std::string answers{};  ///< a table with the columns id and label; rows without a label are left out
  TableOptions table{};
  std::uint64_t max_memory = usual_memory();
};

struct TellResult {
  std::map<std::string, std::uint64_t> outcomes;  ///< how many labels were learned, repeated, unknown, ...
  std::uint64_t without_label = 0;
  std::vector<std::string> refused;  ///< the first refusals
  std::uint64_t refusals = 0;
  SessionLedger live;  ///< the session afterwards
};

/// THROWS: ConfigError, DataError, FileError, ModelError, MemoryError.
TellResult tell(const TellOptions& options);

}  // namespace askfew
