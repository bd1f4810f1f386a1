#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace askfew {

/// How much each person has answered, and how fast.
class Annotators {
 public:
  struct Answer {
    std::string person{};
    std::int64_t time = 0;  ///< in microseconds since 1970
    bool is_label = false;
    bool unsure = false;
    std::optional<double> seconds{};  ///< how long the person looked at the question
  };
  void add(const Answer& answer);

  struct Person {
    std::uint64_t answers = 0;
    std::uint64_t unsure = 0;
    std::uint64_t skipped = 0;
    std::int64_t day = 0;             ///< days since 1970, of the last answer
    std::uint64_t answers_today = 0;  ///< on that day, of any kind
    std::vector<double> seconds{};    ///< of the last answers

    static void state(auto& self, auto& visit) {
      visit("answers", self.answers);
      visit("unsure", self.unsure);
      visit("skipped", self.skipped);
      visit("day", self.day);
      visit("answers_today", self.answers_today);
      visit("seconds", self.seconds);
    }
  };
  [[nodiscard]] const std::map<std::string, Person>& people() const { return people_; }
  /// The answers that a person gave on this day (in days since 1970).
  [[nodiscard]] std::uint64_t on_day(const std::string& person, std::int64_t day) const;

  static std::int64_t day_of(std::int64_t time) { return time / 86'400'000'000; }

  static void state(auto& self, auto& visit) { visit("people", self.people_); }

 private:
  static constexpr std::size_t max_seconds = 1001;

  std::map<std::string, Person> people_;
};

/// The middle one of the values; nothing if there is none.
std::optional<double> median(std::vector<double> values);

}  // namespace askfew
