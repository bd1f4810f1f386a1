#include "askfew/sessions/shared_answers.h"

namespace askfew {

void SharedAnswers::set(std::uint64_t round, std::span<const Vote> votes) {
  questions_[round].assign(votes.begin(), votes.end());
}

SharedAnswers::Report SharedAnswers::report() const {
  Report report;
  std::map<std::string, std::uint32_t> numbers;
  std::vector<SharedQuestion> questions;
  for (const auto& [round, votes] : questions_) {
    SharedQuestion& question = questions.emplace_back();
    for (const Vote& vote : votes) {
      const auto next = static_cast<std::uint32_t>(report.people.size());
      const auto [found, is_new] = numbers.emplace(vote.by, next);
      if (is_new) report.people.push_back({.name = vote.by});
      Person& person = report.people[found->second];
      ++person.answers;
      if (vote.label) {
        question.answers.push_back({.person = found->second, .label = *vote.label});
      } else {
        ++(vote.unsure ? person.unsure : person.skipped);
      }
    }
  }
  report.agreement = agreement_of(questions);
  report.agreement.people.resize(report.people.size());
  return report;
}

}  // namespace askfew
