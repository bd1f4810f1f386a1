#pragma once

// Alarms: mistakes became more or fewer, or margins look different.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "askfew/core/label.h"
#include "askfew/estimates/confusion_estimate.h"

namespace askfew {

enum class ChangeKind : std::uint8_t {
  error_up,    ///< more mistakes than before
  error_down,  ///< fewer mistakes: the stream became easier, or the learner has learned
  margins      ///< the margins have another distribution
};

/// The name in reports: error_up, error_down, margins.
std::string_view text_of(ChangeKind kind);

/// A change that was noticed.
struct Change {
  ChangeKind kind = ChangeKind::margins;
  std::uint64_t round = 0;  ///< the round in which the change was noticed
  std::uint64_t since = 0;  ///< the last round before the stretch that differs from the rounds before it
};

/// Notices that the share of mistakes has changed, from asked labels only.
///
/// At each multiple of `window` rounds a new stretch starts; each of the two newest stretches is compared
/// with the rounds before it, back to the last change. An alarm is raised if the two confidence intervals do
/// not overlap. The k-th stretch that starts spends alpha/(k(k+1)), and an alarm can be false only if an
/// interval is false: with probability 1 - alpha EVERY alarm of the run is true. True means: the expected
/// share of mistakes in the rounds since `since` (the mean probability of a mistake, given all earlier
/// rounds) is larger (smaller) than in the rounds before. Bad luck in a few instances raises no alarm.
/// Nothing else is assumed about the data.
///
/// An alarm does not tell the cause: a learner that learns makes fewer mistakes, which is a change. A change
/// may go unnoticed: the intervals separate only with enough audits.
///
/// A label may come late or never: until it comes, the intervals hold for every possible label. The two
/// newest stretches are at most two windows long, so a later label does not improve them.
class ErrorAlarm {
 public:
  /// `floor`: see Estimate. REQUIRES: window >= 1.
  ErrorAlarm(double floor, std::uint64_t window, double alpha);

  /// See Estimate.
  void add(Label prediction, bool covered = true);
  void label(const AskedLabel& asked);
  void retract(const AskedLabel& asked);
  void mark_missing(const AskedLabel& asked);
  void mark_arrived(const AskedLabel& asked);
  /// Ends the round. Looks for a change 16 times per window.
  std::optional<Change> check();

  static void state(auto& self, auto& visit) {
    visit("rounds", self.rounds_);
    visit("starts", self.starts_);
    visit("before", self.before_);
    visit("older", self.older_);
    visit("newer", self.newer_);
  }

 private:
  /// Consecutive rounds and their estimate.
  struct Span {
    explicit Span(const std::shared_ptr<const CountGrid>& grid) : counts(grid) {}

    ConfusionEstimate counts;
    std::uint64_t start = 0;  // number of rounds before the span
    std::uint64_t index = 0;  // k; 0: not started

    static void state(auto& self, auto& visit) {
      visit("counts", self.counts);
      visit("start", self.start);
      visit("index", self.index);
    }
  };
  struct Stretch : Span {
    explicit Stretch(const std::shared_ptr<const CountGrid>& grid) : Span(grid), past(grid) {}

    double least = 0;  // least, most: bounds of the error before the stretch
    double most = 1;
    Span past;              // the rounds behind these bounds, for labels that still come
    bool is_stale = false;  // labels came since the bounds were computed

    static void state(auto& self, auto& visit) {
      Span::state(self, visit);
      visit("least", self.least);
      visit("most", self.most);
      visit("past", self.past);
      visit("past_is_stale", self.is_stale);
    }
  };

  [[nodiscard]] Interval error_of(const Span& span) const;
  /// Applies `act` to every stretch that contains the round.
  void at(std::uint64_t round, auto&& act);
  void learn_past(Stretch& stretch);
  void start_stretch();
  std::optional<Change> compare(Stretch& stretch);

  std::shared_ptr<const CountGrid> grid_;
  std::uint64_t window_;
  double alpha_;
  std::uint64_t rounds_ = 0;
  std::uint64_t starts_ = 1;
  Stretch before_;  // since the last change
  Stretch older_;
  Stretch newer_;
};

/// Notices that the distribution of the margins has changed; needs no labels.
///
/// Margins are divided by the norm of their instance, and each `window` of margins is compared with the
/// window before. Weights and margins grow while a learner learns, so only the shape is compared. The
/// distance of two windows is the least that a factor c > 0 can bring their empirical distributions to, sup_x
/// |F1(x) - F2(c x)|. An alarm needs two things:
///
///   distance > 0.1 + sqrt(ln(e/a)/window), by the inequality of Dvoretzky, Kiefer and Wolfowitz for two
///   samples
///              (Wei and Dudley 2012, theorem 1), with a = alpha/(k(k+1)) for the k-th distance
///   distance > 1.5 times the largest of the last 8, of which there must be 4
///
/// The 0.1 and the second condition allow for the learner, which changes margins too: its usual changes raise
/// no alarm.
///
/// Promised: if margins are independent and those of any two successive windows have the same distribution up
/// to scale, the probability of any alarm in the whole run is below alpha. Not promised while the learner
/// still changes the shape of the distribution (the second condition makes such alarms rare), or if
/// successive instances depend on each other. An alarm says that the instances or the learner have changed,
/// not that there are more mistakes. This alarm never notices a change of labels without a change of
/// instances.
class MarginAlarm {
 public:
  /// REQUIRES: window >= 2.
  MarginAlarm(std::uint64_t window, double alpha);

  std::optional<Change> add(double margin, double norm);

  static void state(auto& self, auto& visit) {
    visit("windows", self.windows_);
    visit("before", self.before_);
    visit("now", self.now_);
    visit("distances", self.distances_);
  }

 private:
  [[nodiscard]] bool is_far(double distance) const;

  std::uint64_t window_;
  double alpha_;
  std::uint64_t windows_ = 0;   // number of complete windows
  std::vector<double> before_;  // the last complete window, sorted; empty before the first
  std::vector<double> now_;
  std::vector<double> distances_;  // the last distances, the oldest first
};

/// Is there a factor c > 0 with |F(x) - G(c x)| <= distance for all x, where F and G are the empirical
/// distributions of two samples? REQUIRES: both samples are sorted and not empty.
bool same_up_to_scale(const std::vector<double>& f, const std::vector<double>& g, double distance);

/// The least such distance, up to a thousandth.
double distance_up_to_scale(const std::vector<double>& f, const std::vector<double>& g);

}  // namespace askfew
