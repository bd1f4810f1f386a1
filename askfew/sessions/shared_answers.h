#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "askfew/estimates/agreement.h"
#include "askfew/sessions/overlap.h"

namespace askfew {

/// What several people said about the same questions.
class SharedAnswers {
 public:
  /// All answers to the question of this round, so far.
  void set(std::uint64_t round, std::span<const Vote> votes);

  struct Person {
    std::string name;
    std::uint64_t answers = 0;  ///< to shared questions, of any kind
    std::uint64_t unsure = 0;
    std::uint64_t skipped = 0;
  };
  struct Report {
    Agreement agreement;
    std::vector<Person> people;  ///< the order is that of the agreement's people
  };
  [[nodiscard]] Report report() const;
  [[nodiscard]] bool is_empty() const { return questions_.empty(); }

  static void state(auto& self, auto& visit) { visit("questions", self.questions_); }

 private:
  std::map<std::uint64_t, std::vector<Vote>> questions_;  // by round
};

}  // namespace askfew
