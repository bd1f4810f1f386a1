#include "askfew/service/annotators.h"

#include <algorithm>

namespace askfew {

void Annotators::add(const Answer& answer) {
  Person& person = people_[answer.person];
  if (answer.is_label) {
    ++person.answers;
  } else if (answer.unsure) {
    ++person.unsure;
  } else {
    ++person.skipped;
  }
  const std::int64_t day = day_of(answer.time);
  if (day != person.day) person.answers_today = 0;
  person.day = day;
  ++person.answers_today;
  if (!answer.seconds) return;
  if (person.seconds.size() < max_seconds) {
    person.seconds.push_back(*answer.seconds);
  } else {
    person.seconds[(person.answers + person.unsure + person.skipped) % max_seconds] = *answer.seconds;
  }
}

std::uint64_t Annotators::on_day(const std::string& person, std::int64_t day) const {
  const auto found = people_.find(person);
  return found != people_.end() && found->second.day == day ? found->second.answers_today : 0;
}

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace askfew
