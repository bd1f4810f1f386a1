#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/label.h"

namespace askfew {

/// What predictions aim at. The aim changes predictions only, never which labels are asked or how they are
/// learned.
struct Aim {
  enum class Kind : std::uint8_t {
    accuracy,  ///< few mistakes: positive where the margin is above 0
    f1,        ///< a large F
    recall,    ///< find this share of the positives
    precision  ///< this share of the positive predictions is right
  };
  Kind kind = Kind::accuracy;
  double level = 0;        ///< the share, of recall and precision
  bool calibrated = true;  ///< by probabilities; false in models and ledgers of earlier versions

  [[nodiscard]] bool is_accuracy() const { return kind == Kind::accuracy; }
  bool operator==(const Aim&) const = default;
};

/// `accuracy`, `f1`, `recall=0.9`, `precision=0.9`. THROWS: ConfigError.
Aim parse_aim(std::string_view text);
/// The text that parse_aim accepts.
std::string text_of(const Aim& aim);

/// The number that a margin must exceed for a positive prediction, chosen from the asked labels to reach an
/// aim that is not accuracy. docs/aim.md has the formulas.
///
/// The margins are turned into probabilities (calibrated_cut.h). The last 200 asked labels and the margins of
/// the last 1,000 rounds count; the cut is 0 before 8 labels.
///
/// Models of earlier versions have another cut. A rule asks where predictions are in doubt. The asked labels
/// say what is right there, each with the weight 1/p, at most 20, where p is the probability with which it
/// was asked. Positive predictions on rounds that could not be asked are counted and taken as right. The last
/// 200 labels count; that cut is 0 before 20.
class AimedCut {
 public:
  explicit AimedCut(const Aim& aim) : aim_(aim) {}

  [[nodiscard]] double cut() const { return cut_; }
  /// A round whose label is not asked. `chance`: the probability with which it could have been asked.
  void pass(double margin, double chance) {
    if (aim_.calibrated) see(margin);
    if (margin > 0 && chance == 0) passed_ += 1;
  }
  /// An asked label, with the margin and the probability of its round.
  void learn(double margin, Label y, double chance);

  static void state(auto& self, auto& visit) {
    visit("cut", self.cut_);
    visit("labels", self.labels_);
    visit("passed", self.passed_);
    visit("kept", self.kept_);
    if (!self.aim_.calibrated) return;
    visit("rounds", self.rounds_);
    visit("margins", self.margins_);
  }
  /// Could the loaded state have been saved by an AimedCut?
  [[nodiscard]] bool consistent() const;

 private:
  void see(double margin);
  void choose();
  void choose_calibrated();

  Aim aim_;
  double cut_ = 0;
  std::uint64_t labels_ = 0;
  double passed_ = 0;            // rounds since the last label that were taken as positive
  std::vector<double> kept_;     // the last labels, in a ring: margin, label, weight, rounds passed before it
  std::uint64_t rounds_ = 0;     // only if the cut is calibrated
  std::vector<double> margins_;  // of the last rounds, in a ring; only if the cut is calibrated
};

}  // namespace askfew
