#pragma once

// A project of a server: a session whose questions many people answer.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "askfew/service/history.h"
#include "askfew/service/period_spending.h"
#include "askfew/service/project_settings.h"
#include "askfew/service/question_desk.h"
#include "askfew/sessions/even_clock.h"
#include "askfew/sessions/recorder.h"

// Threads: a project is for one thread at a time; other threads may use other projects.

namespace askfew {

struct ProjectOptions {
  LedgerPlace ledger{};                       ///< where it is
  ProjectSettings settings{};                 ///< as they are now
  std::uint64_t max_memory = usual_memory();  ///< see SessionOptions
  std::int64_t lease = 600'000'000;           ///< for so many microseconds a person has a question
  std::int64_t patience = 600'000'000;        ///< after so many microseconds held answers are learned
};

/// A person's answer to a question.
struct PersonsAnswer {
  std::string key;                   ///< chosen by the client: the same key is the same answer
  std::string id;                    ///< as JSON: a text with its quotes, or a number
  std::optional<std::string> label;  ///< nothing: skipped
  /// Of topics: what the person says about each that is named; nothing: declined.
  std::optional<std::map<std::string, std::optional<bool>>> topics{};
  bool others_are_negative = false;  ///< the topics of the question that are not named; false: declined
  bool unsure = false;
  bool flag = false;
  std::string comment;
  std::optional<double> seconds;
};

struct AnswerResult {
  std::string state;   ///< held, learned, skipped, repeated or error
  std::string detail;  ///< what is wrong; empty: nothing
};

/// Why a person gets no question.
enum class NoQuestion : std::uint8_t {
  waiting_for_stream,
  budget_spent,
  leased_to_others,
  finished,
  not_asked  ///< the project asks other people
};

struct NextQuestions {
  std::vector<const OpenQuestion*> questions;  ///< valid until the next call
  std::int64_t until = 0;                      ///< the end of the leases, in microseconds since 1970
  std::optional<NoQuestion> nothing;           ///< set if there is no question
};

struct ProjectCounts {
  std::uint64_t rounds = 0;
  std::uint64_t asked = 0;
  std::uint64_t answered = 0;  ///< labels that were learned
  std::uint64_t skipped = 0;   ///< also unsure
  std::uint64_t held = 0;
  std::uint64_t pending = 0;  ///< questions without an answer, held or learned
  std::uint64_t kept = 0;     ///< instances that have no round yet

  bool operator==(const ProjectCounts&) const = default;
};

/// What a budget allows, and what was spent of it.
struct BudgetState {
  double labels = 0;  ///< in all, up to now (of a share), or in the current period
  std::uint64_t spent = 0;
  bool is_fixed = false;  ///< the number of labels does not grow with the rounds

  [[nodiscard]] std::uint64_t left() const {
    const auto whole = static_cast<std::uint64_t>(labels);
    return whole - std::min(whole, spent);
  }
};

/// How many labels are planned by a round.
struct PlannedLabels {
  std::uint64_t round = 0;
  double labels = 0;
};

/// A session of many people: instances come from programs, questions go out to people, and answers come back
/// late, twice or never. The last answers of a person are held before they are learned, so that they can be
/// taken back. All that is acknowledged is in the ledger after `commit`.
class Project {
 public:
  /// Opens the ledger, or starts a new one. THROWS: ConfigError, DataError, FileError, ModelError,
  /// MemoryError.
  explicit Project(const ProjectOptions& options);
  ~Project();
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;
  Project(Project&&) = delete;
  Project& operator=(Project&&) = delete;

  [[nodiscard]] const ProjectSettings& settings() const { return options_.settings; }
  /// Takes the members that are no part of the ledger.
  void set_settings(const ProjectSettings& settings);
  /// Changes settings of the ledger, from here on; `changes` has only live settings. THROWS: ConfigError if
  /// this is impossible, FileError.
  void change_settings(const std::string& person, const nlohmann::json& changes);

  /// Answers lines as a stream does: instances, and labels that programs know. REQUIRES:
  /// IncomingReader::padding bytes after each line are readable.
  void take_lines(std::span<const std::string_view> lines, std::string& answers);
  /// Keeps instances until people want questions: a decision that comes later knows the answers before it.
  /// The instances have their rounds in the order in which they came. One line of JSON for each. REQUIRES: as
  /// above.
  void keep_lines(std::span<const std::string_view> lines, std::string& answers);
  /// Predictions for lines of instances, without a round: one line of JSON each. REQUIRES: as above.
  void predict(std::span<const std::string_view> lines, std::string& answers);

  /// Up to n questions. Decides about kept instances while the person has fewer than `enough` questions: the
  /// more questions are decided ahead, the fewer answers a decision knows.
  NextQuestions next(const std::string& person, std::size_t n, std::size_t enough);
  AnswerResult answer(const std::string& person, const PersonsAnswer& answer);
  /// Takes a held answer back, and leases its question to the person again. Nothing: no such answer is held.
  std::optional<NextQuestions> take_back(const std::string& person, const std::string& key);
  /// Decides a question on which people disagree; `said` has an id, and a label or labels, as a label line.
  /// Returns the answer to that line. THROWS: ConfigError if it cannot be taken.
  nlohmann::json settle(const std::string& person, const nlohmann::json& said);
  /// Learns answers that are held too long, and expires questions.
  void tidy();
  /// Learns all answers that are held.
  void learn_held();

  /// No more work comes for some time: the ledger may get a checkpoint, which the next `commit` writes to the
  /// disk.
  void rest();
  /// Everything up to now is on the disk afterwards. THROWS: FileError; then the state of the disk is
  /// unknown, and the project must be opened again.
  void commit(bool sync);

  [[nodiscard]] ProjectCounts counts() const;
  /// The report of the session as a line of JSON, as a stream gives it.
  [[nodiscard]] std::string report();
  /// Nothing without a budget.
  [[nodiscard]] std::optional<BudgetState> budget() const;
  /// The labels that may still be asked, in all or in the current period, of all topics together (documents,
  /// if topics are asked together); nothing without a fixed number of labels.
  [[nodiscard]] std::optional<std::uint64_t> left_in_budget() const;
  /// What the plan of the budget allows by now, of all topics together; nothing without such a plan.
  [[nodiscard]] std::optional<double> planned_by_now() const;
  /// The same for some rounds up to the horizon, most of them early; empty without a known horizon.
  [[nodiscard]] std::vector<PlannedLabels> plan_curve() const;
  [[nodiscard]] std::vector<const OpenQuestion*> waiting() { return desk_.waiting(*live_.session); }
  [[nodiscard]] const QuestionDesk& desk() const { return desk_; }
  [[nodiscard]] QuestionDesk& desk() { return desk_; }
  [[nodiscard]] const History& history() const { return history_; }
  [[nodiscard]] const Session& session() const { return *live_.session; }
  /// The answers of a person today, held or learned.
  [[nodiscard]] std::uint64_t answered_today(const std::string& person) const;
  [[nodiscard]] std::int64_t now() const { return clock_.now(); }

  /// What a project has beside its session, as a checkpoint has it.
  static void state(auto& self, auto& visit) {
    visit("desk", self.desk_);
    visit("history", self.history_);
    visit("period_spending", self.period_spending_);
    visit("kept", self.kept_);
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(self)>>) {
      visit("settings", self.live_settings());
    } else {
      std::string settings;
      visit("settings", settings);
      self.set_live_settings(settings);
    }
  }

 private:
  /// Reads each line into incoming_ and calls act(line) if it is an instance; else it appends an error.
  /// Leaves the reader as it was.
  void for_each_instance(std::span<const std::string_view> lines, std::string& answers,
                         const std::function<void(std::string_view line)>& act);
  [[nodiscard]] bool record(const LedgerEvent& event);
  /// Returns the answers.
  std::string take_line(std::string line);
  void see_settings(const Replayed& line);
  /// The settings that may change, as JSON.
  [[nodiscard]] std::string live_settings() const;
  /// THROWS: ModelError.
  void set_live_settings(const std::string& settings);
  /// Nothing for a budget per period, and without a budget.
  [[nodiscard]] std::optional<double> planned_by(std::uint64_t round) const;
  [[nodiscard]] bool is_asked(const std::string& person) const;
  void take_kept();
  /// Finds the contents of kept instances after a start, for those that come with the same id.
  void find_kept_contents();
  /// The first kept instance, which has this id, has a round.
  void forget_kept(const std::string& id);
  /// Learns held answers of a person until only so many are left, or until they cannot be recorded.
  void learn(const std::string& person, std::size_t rest);
  [[nodiscard]] NoQuestion why_nothing(const std::string& person) const;
  [[nodiscard]] std::string refusal_of(const std::string& person, const std::string& id,
                                       const PersonsAnswer& answer) const;
  /// What is wrong with the labels of an answer to this question; empty: nothing.
  [[nodiscard]] std::string refusal_of_labels(const OpenQuestion& question,
                                              const PersonsAnswer& answer) const;
  [[nodiscard]] std::string refusal_of_topics(const OpenQuestion& question,
                                              const PersonsAnswer& answer) const;
  /// The label line of an answer.
  [[nodiscard]] std::string line_of(const std::string& person, const std::string& id,
                                    const PersonsAnswer& answer) const;
  /// The names of the topics of a question that wait.
  [[nodiscard]] std::vector<std::string> topics_of(const OpenQuestion& question) const;

  ProjectOptions options_;
  QuestionDesk desk_;
  History history_;
  PeriodSpending period_spending_;
  std::deque<std::string> kept_;                                  // lines of instances without a round
  std::unordered_map<std::string, std::uint64_t> kept_contents_;  // by id
  bool knows_kept_contents_ = false;
  LedgerObserver observer_;
  EvenClock clock_;
  SessionLedger live_;
  std::unique_ptr<Recorder> recorder_;
  Incoming incoming_;     // scratch, see for_each_instance
  bool is_dirty_ = true;  // a new ledger is
};

}  // namespace askfew
