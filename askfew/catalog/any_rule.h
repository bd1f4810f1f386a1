#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "askfew/catalog/table.h"
#include "askfew/core/snapshot.h"

namespace askfew {

/// One of several rules, chosen at run time. A learner whose round takes more than a few nanoseconds is
/// compiled with two of these types (rules that need a spread and rules that do not) instead of with every
/// rule: this shortens compiling a lot.
template <class... Rs>
class AnyRule {
 public:
  static constexpr bool needs_spread = (Rs::needs_spread || ...);
  static_assert(needs_spread == (Rs::needs_spread && ...));

  template <class R>
  explicit AnyRule(R rule) : rule_(std::move(rule)) {}

  [[nodiscard]] std::string_view name() const {
    return std::visit([]<class R>(const R& /*rule*/) { return R::info.name; }, rule_);
  }
  [[nodiscard]] double ask_probability(const Score& score, const Tally& tally) const {
    return std::visit([&](const auto& rule) { return rule.ask_probability(score, tally); }, rule_);
  }
  /// 0 for a rule without a scale.
  [[nodiscard]] double scale() const {
    return std::visit(
        []<class R>(const R& rule) {
          if constexpr (HasScale<R>) return rule.scale();
          return 0.0;
        },
        rule_);
  }
  void set_scale(double scale) {
    std::visit(
        [&]<class R>(R& rule) {
          if constexpr (HasScale<R>) rule.set_scale(scale);
        },
        rule_);
  }
  /// 0 for a rule that ranks no scores.
  [[nodiscard]] double rank(const Score& score) const {
    return std::visit(
        [&]<class R>(const R& rule) {
          if constexpr (RanksScores<R>) return rule.rank(score);
          return 0.0;
        },
        rule_);
  }
  /// Nothing for a rule that ranks no scores.
  [[nodiscard]] std::optional<double> critical_scale(double rank, const Tally& tally) const {
    return std::visit(
        [&]<class R>(const R& rule) -> std::optional<double> {
          if constexpr (RanksScores<R>) return rule.critical_scale(rank, tally);
          return std::nullopt;
        },
        rule_);
  }
  [[nodiscard]] double steady_probability(const Score& score, const Tally& tally) const {
    return std::visit(
        [&]<class R>(const R& rule) {
          if constexpr (HasSteadyProbability<R>) {
            return rule.steady_probability(score, tally);
          } else {
            return rule.ask_probability(score, tally);
          }
        },
        rule_);
  }
  void observe(const Query& query, bool mistake, bool updated) {
    std::visit(
        [&]<class R>(R& rule) {
          if constexpr (Observes<R>) rule.observe(query, mistake, updated);
        },
        rule_);
  }
  [[nodiscard]] bool observes_score() const {
    return std::visit(
        []<class R>(const R& rule) {
          if constexpr (ObservesScore<R>) return rule.observes_score();
          return false;
        },
        rule_);
  }
  [[nodiscard]] bool uses_spread() const {
    return std::visit(
        []<class R>(const R& rule) {
          if constexpr (UsesSpread<R>) return rule.uses_spread();
          return R::needs_spread;
        },
        rule_);
  }
  [[nodiscard]] bool looks_ahead() const {
    return std::visit(
        []<class R>(const R& rule) {
          if constexpr (LooksAhead<R>) return rule.looks_ahead();
          return false;
        },
        rule_);
  }
  void look_ahead(const Score& score, const Tally& tally) {
    std::visit(
        [&]<class R>(R& rule) {
          if constexpr (LooksAhead<R>) rule.look_ahead(score, tally);
        },
        rule_);
  }

  static void state(auto& self, auto& visit) {
    std::visit(
        [&]<class R>(R& rule) {
          if constexpr (HasState<std::remove_const_t<R>>) std::remove_const_t<R>::state(rule, visit);
        },
        self.rule_);
  }

 private:
  std::variant<Rs...> rule_;
};

/// AnyRule of those rules of a list that need a spread, or of those that do not.
template <bool needs_spread, class Chosen, class Rest>
struct AnyRuleThat;
template <bool needs_spread, class... Chosen>
struct AnyRuleThat<needs_spread, TypeList<Chosen...>, TypeList<>> {
  using type = AnyRule<Chosen...>;
};
template <bool needs_spread, class... Chosen, class R, class... Rest>
struct AnyRuleThat<needs_spread, TypeList<Chosen...>, TypeList<R, Rest...>>
    : AnyRuleThat<
          needs_spread,
          std::conditional_t<R::needs_spread == needs_spread, TypeList<Chosen..., R>, TypeList<Chosen...>>,
          TypeList<Rest...>> {};

}  // namespace askfew
