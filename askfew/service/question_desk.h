#pragma once

// The open questions of a project, who has leased them, and the answers that are held.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "askfew/service/annotators.h"
#include "askfew/sessions/ledger_event.h"
#include "askfew/sessions/replay.h"
#include "askfew/sessions/why.h"

// Threads: a desk is for one thread at a time.

namespace askfew {

/// A task of a question whose label is missing.
struct OpenTask {
  std::uint32_t task = 0;
  std::string prediction;  ///< the name of a label; of a topic: yes or no
  double margin = 0;
  double probability = 0;
  std::string why;  ///< a sentence
  std::vector<Why::Heavy> words;

  static void state(auto& self, auto& visit) {
    visit("task", self.task);
    visit("prediction", self.prediction);
    visit("margin", self.margin);
    visit("probability", self.probability);
    visit("why", self.why);
    visit("words", self.words);
  }
};

/// A question that waits for a person's answer, with everything that the person should see.
struct OpenQuestion {
  std::string id;    ///< as in Incoming::id
  std::string line;  ///< the instance as it came, an object of JSON
  std::uint64_t round = 0;
  std::int64_t time = 0;              ///< when it was asked, in microseconds since 1970
  std::vector<OpenTask> tasks;        ///< those that wait: one or several topics, else one
  std::uint32_t people = 1;           ///< who answer it
  std::set<std::string> answered_by;  ///< whose answers were collected

  /// The number of answers that the question needs; one more than there are if they are tied.
  [[nodiscard]] std::size_t needed() const { return std::max<std::size_t>(people, answered_by.size() + 1); }
  /// The smallest |margin| of its tasks.
  [[nodiscard]] double doubt() const;

  static void state(auto& self, auto& visit) {
    visit("id", self.id);
    visit("line", self.line);
    visit("round", self.round);
    visit("time", self.time);
    visit("tasks", self.tasks);
    visit("people", self.people);
    visit("answered_by", self.answered_by);
  }
};

/// An answer that is held before it is learned.
struct HeldAnswer {
  std::string key;
  std::string id;    ///< as in Incoming::id
  std::string line;  ///< the label line that will be learned
  std::string text;  ///< what the person saw
  std::int64_t came = 0;

  static void state(auto& self, auto& visit) {
    visit("key", self.key);
    visit("id", self.id);
    visit("line", self.line);
    visit("text", self.text);
    visit("came", self.came);
  }
};

/// An idempotency key: each person has keys of their own.
struct AnswerKey {
  std::string person;  ///< empty: nobody's name is known
  std::string key;

  auto operator<=>(const AnswerKey&) const = default;
};

/// What became of the answer with a key.
struct KnownKey {
  std::string id;
  std::string state;

  static void list_state(auto& self, auto& visit) {
    visit("id", self.id);
    visit("state", self.state);
  }
};

/// The questions of a session between the engine and the people: which ones wait, who has them (a lease),
/// which answers are held, who said what. The desk follows from the lines and events of the ledger, apart
/// from leases, so that it is the same after a restart.
class QuestionDesk {
 public:
  static constexpr std::size_t max_keys = 100'000;  ///< keys that are remembered, the newest

  // What is in the ledger, and what is added to it; see LedgerObserver. REQUIRES: the session is always the
  // same.
  void see_line(const Session& session, const Replayed& line);
  void see_event(const LedgerEvent& event);

  /// By question and person: until when the person has the question, in microseconds since 1970.
  using Leases = std::map<std::string, std::map<std::string, std::int64_t>>;
  /// At most n questions for this person, leased until then: first those that the person has already, then
  /// the oldest that need one more person. `session`: knows which questions still wait.
  std::vector<const OpenQuestion*> lease(const Session& session, const std::string& person, std::size_t n,
                                         std::int64_t now, std::int64_t until);
  /// May this person answer the question now? Not if the person has done so, or if enough others have the
  /// question or have answered it.
  [[nodiscard]] bool has_seat(const OpenQuestion& question, const std::string& person,
                              std::int64_t now) const;
  [[nodiscard]] std::uint64_t leased_to_others(const std::string& person, std::int64_t now) const;
  [[nodiscard]] const Leases& leases() const { return leases_; }
  void set_lease(const std::string& id, const std::string& person, std::int64_t until) {
    leases_[id][person] = until;
  }

  /// The question with this id, if it waits; else null.
  [[nodiscard]] const OpenQuestion* find(const std::string& id) const;
  /// The questions that need more answers than are held, the oldest first. Forgets those that have expired.
  std::vector<const OpenQuestion*> waiting(const Session& session);
  /// Has this person answered the question, held or collected?
  [[nodiscard]] bool has_answered(const OpenQuestion& question, const std::string& person) const;
  /// Are all answers there that the question needs, held or collected?
  [[nodiscard]] bool is_complete(const OpenQuestion& question) const;
  /// The number of questions whose last answers are held.
  [[nodiscard]] std::uint64_t complete_count() const;

  /// The answer of this person with this key. A key without a name is everybody's: that of a program's label,
  /// or of a checkpoint of an earlier version, which had no names for keys. Null: there is none.
  [[nodiscard]] const KnownKey* known(const std::string& person, const std::string& key) const;
  /// The held answers of a person, the oldest first; null if there is none.
  [[nodiscard]] const std::deque<HeldAnswer>* held(const std::string& person) const;
  [[nodiscard]] const std::map<std::string, std::deque<HeldAnswer>>& all_held() const { return held_; }
  [[nodiscard]] std::size_t held_count() const;
  [[nodiscard]] const Annotators& annotators() const { return annotators_; }

  /// Without leases, which are in no ledger.
  static void state(auto& self, auto& visit) {
    visit("questions", self.questions_);
    visit("held", self.held_);
    visit("annotators", self.annotators_);
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(self)>>) {
      const KeysInOrder keys = self.keys_in_order();
      KeysInOrder::state(keys, visit);
    } else {
      KeysInOrder keys;
      KeysInOrder::state(keys, visit);
      self.settle(keys);
    }
  }

 private:
  void see_instance(const Session& session, const Replayed& line, std::span<const Decision> decisions);
  void see_label(const Session& session, const Replayed& line);
  /// A label of this question has come.
  void see_answer(const Session& session, const std::string& id, const std::string& person);
  void hold(const AnswerHeld& held);
  /// Removes the held answer with this key; nothing if there is none.
  std::optional<HeldAnswer> release(const std::string& person, const std::string& key);
  void remember(const AnswerKey& key, KnownKey known);
  /// The keys as a checkpoint has them, the oldest first.
  struct KeysInOrder {
    std::vector<std::string> keys;
    std::vector<std::string> people;
    std::vector<KnownKey> known;

    static void state(auto& self, auto& visit) {
      visit("keys", self.keys);
      visit("known", self.known);
      if (visit.has("people_of_keys")) visit("people_of_keys", self.people);
    }
  };
  [[nodiscard]] KeysInOrder keys_in_order() const;
  /// Makes what follows from the parts that were loaded. THROWS: ModelError.
  void settle(const KeysInOrder& loaded);
  void close(const std::string& id);

  std::map<std::uint64_t, OpenQuestion> questions_;  // by round
  std::unordered_map<std::string, std::uint64_t> rounds_;
  Leases leases_;
  std::map<std::string, std::deque<HeldAnswer>> held_;              // by person
  std::unordered_map<std::string, std::set<std::string>> holders_;  // of an id: whose answers are held
  std::map<AnswerKey, KnownKey> keys_;
  std::deque<AnswerKey> key_order_;
  Annotators annotators_;
  std::unique_ptr<Why> why_;
};

/// The name of a label for people: of a class its own, of a topic yes or no.
std::string label_name(const LabelPlan& labels, LabelNumber label);

/// The id of an answer as in Incoming::id: a text and a number with the same digits differ. Empty: neither.
std::string id_key_of(const nlohmann::json& id);

}  // namespace askfew
