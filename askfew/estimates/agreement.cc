#include "askfew/estimates/agreement.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace askfew {
namespace {

constexpr double normal_quantile = 1.959963984540054;  // of the normal distribution, for 95%

Estimated with_interval(double value, double deviation) {
  return {.value = value,
          .interval = {.low = std::max(-1.0, value - normal_quantile * deviation),
                       .high = std::min(1.0, value + normal_quantile * deviation)}};
}

bool has_different_labels(const SharedQuestion& question) {
  return std::ranges::any_of(question.answers, [&](const SharedQuestion::Answer& answer) {
    return answer.label != question.answers[0].label;
  });
}

/// Kappa of the labels that two people gave to the same questions.
std::optional<Estimated> kappa_of(const std::vector<std::pair<LabelNumber, LabelNumber>>& pairs) {
  const auto n = static_cast<double>(pairs.size());
  std::map<LabelNumber, double> first;
  std::map<LabelNumber, double> second;
  double observed = 0;
  for (const auto& [one, other] : pairs) {
    first[one] += 1 / n;
    second[other] += 1 / n;
    if (one == other) observed += 1 / n;
  }
  double expected = 0;
  for (const auto& [label, share] : first) {
    if (const auto found = second.find(label); found != second.end()) expected += share * found->second;
  }
  const double rest = 1 - expected;
  if (!(rest > 1e-12)) return std::nullopt;
  double sum = 0;
  for (const auto& [one, other] : pairs) {
    if (one == other) {
      const double term = rest - (first[one] + second[one]) * (1 - observed);
      sum += term * term / n;
    } else {
      const double term = (1 - observed) * (second[one] + first[other]);
      sum += term * term / n;
    }
  }
  const double last = observed * expected - 2 * expected + observed;
  const double variance = std::max(0.0, sum - last * last) / (n * rest * rest * rest * rest);
  return with_interval((observed - expected) / rest, std::sqrt(variance));
}

/// The sums that alpha depends on.
struct Coincidences {
  double answers = 0;
  double agreeing = 0;                   // sum of the coincidences of equal labels
  std::map<LabelNumber, double> labels;  // answers with this label
  double squares = 0;                    // sum of n_c (n_c - 1)

  /// Adds a question, or takes it away again (sign -1).
  void add(const std::map<LabelNumber, double>& of_question, double sign) {
    double size = 0;
    double equal = 0;
    for (const auto& [label, count] : of_question) {
      size += count;
      equal += count * (count - 1);
      double& total = labels[label];
      squares -= total * (total - 1);
      total += sign * count;
      squares += total * (total - 1);
    }
    answers += sign * size;
    agreeing += sign * equal / (size - 1);
  }
  [[nodiscard]] std::optional<double> alpha() const {
    if (answers < 2) return std::nullopt;
    const double observed = 1 - agreeing / answers;
    const double expected = 1 - squares / (answers * (answers - 1));
    if (!(expected > 1e-12)) return std::nullopt;
    return 1 - observed / expected;
  }
};

std::optional<Estimated> alpha_of(const std::vector<std::map<LabelNumber, double>>& questions) {
  Coincidences all;
  for (const auto& question : questions) all.add(question, 1);
  const std::optional<double> alpha = all.alpha();
  if (!alpha) return std::nullopt;
  const auto n = static_cast<double>(questions.size());
  double sum = 0;
  double squares = 0;
  for (const auto& question : questions) {
    all.add(question, -1);
    const std::optional<double> without = all.alpha();
    all.add(question, 1);
    // One question decides whether there is a second label: nothing is known about the variance.
    if (!without) return Estimated{.value = *alpha, .interval = {.low = -1, .high = 1}};
    const double shift = *without - *alpha;
    sum += shift;
    squares += shift * shift;
  }
  const double variance = std::max(0.0, (n - 1) / n * (squares - sum * sum / n));
  return with_interval(*alpha, std::sqrt(variance));
}

}  // namespace

Agreement agreement_of(std::span<const SharedQuestion> questions) {
  Agreement agreement;
  std::vector<std::map<LabelNumber, double>> counts;
  std::vector<std::pair<LabelNumber, LabelNumber>> pairs;
  std::set<std::uint32_t> people;
  for (const SharedQuestion& question : questions) {
    if (question.answers.size() < 2) continue;
    ++agreement.questions;
    if (has_different_labels(question)) ++agreement.disputed;
    auto& of_labels = counts.emplace_back();
    for (const SharedQuestion::Answer& answer : question.answers) {
      of_labels[answer.label] += 1;
      people.insert(answer.person);
    }
    const auto others = static_cast<double>(question.answers.size() - 1);
    for (const SharedQuestion::Answer& answer : question.answers) {
      if (agreement.people.size() <= answer.person) agreement.people.resize(answer.person + 1);
      Agreement::Person& person = agreement.people[answer.person];
      ++person.questions;
      const double differing = others + 1 - of_labels[answer.label];
      person.disagreement +=
          (differing / others - person.disagreement) / static_cast<double>(person.questions);
    }
    if (question.answers.size() == 2) {
      const auto [first, second] = std::pair(question.answers[0], question.answers[1]);
      const bool is_in_order = first.person < second.person;
      pairs.emplace_back(is_in_order ? first.label : second.label, is_in_order ? second.label : first.label);
    }
  }
  if (people.size() == 2) agreement.kappa = kappa_of(pairs);
  if (!counts.empty()) agreement.alpha = alpha_of(counts);
  return agreement;
}

}  // namespace askfew
