#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "askfew/core/label.h"
#include "askfew/estimates/confusion_estimate.h"

namespace askfew {

enum class ChangeKind : std::uint8_t {
  error_up,    ///< there are more mistakes than before
  error_down,  ///< fewer: the stream is easier, or the learner has learned
  margins      ///< margins have another distribution
};

/// As reports name it: error_up, error_down, margins.
std::string_view text_of(ChangeKind kind);

/// Something changed.
struct Change {
  ChangeKind kind = ChangeKind::margins;
  std::uint64_t round = 0;  ///< in which it was noticed
  std::uint64_t since = 0;  ///< the last round before the stretch that differs from what came before it
};

/// Notices that the share of mistakes has changed, from asked labels only.
///
/// At each multiple of `window` rounds a new stretch starts; the two newest are held against what came before
/// each of them, back to the last change. An alarm is raised where their confidence intervals are apart: the
/// lower bound of the one is above the upper bound of the other. The k-th stretch that starts spends
/// alpha/(k(k+1)), and no alarm is false unless one of the intervals is: with probability 1 - alpha EVERY
/// alarm of the run is true. True means that the mistakes to be expected in the rounds since `since`, the
/// mean over them of the probability of a mistake given all that came before, are a larger (smaller) share
/// than in those before. So it is not raised by bad luck in a few instances. Nothing else is assumed about
/// the data.
///
/// What is not promised is why (a learner that learns makes fewer mistakes, and that is a change), nor that a
/// change is noticed: that takes as many audits as the intervals need to part.
///
/// A label may come late, or never: until it is there, intervals hold whatever it is. The two newest
/// stretches are at most two windows long, so a label that comes later than that is of no use to them.
class ErrorAlarm {
 public:
  /// `floor`: as for Estimate. REQUIRES: window >= 1.
  ErrorAlarm(double floor, std::uint64_t window, double alpha);

  /// As for Estimate.
  void add(Label prediction, bool covered = true);
  void label(const AskedLabel& asked);
  void retract(const AskedLabel& asked);
  void mark_missing(const AskedLabel& asked);
  void mark_arrived(const AskedLabel& asked);
  /// The round ends. Looks for a change, 16 times in a window.
  std::optional<Change> check();

  static void state(auto& self, auto& visit) {
    visit("rounds", self.rounds_);
    visit("starts", self.starts_);
    visit("before", self.before_);
    visit("older", self.older_);
    visit("newer", self.newer_);
  }

 private:
  /// Rounds in a row, which something is known of.
  struct Span {
    explicit Span(const std::shared_ptr<const CountGrid>& grid) : counts(grid) {}

    ConfusionEstimate counts;
    std::uint64_t start = 0;  // how many rounds there were before it
    std::uint64_t index = 0;  // k; 0: it has not started
  };
  struct Stretch : Span {
    explicit Stretch(const std::shared_ptr<const CountGrid>& grid) : Span(grid), past(grid) {}

    double least = 0;  // what the error was before it
    double most = 1;
    Span past;              // what that is known from, for labels that still come; not saved
    bool is_stale = false;  // some came since

    static void state(auto& self, auto& visit) {
      visit("counts", self.counts);
      visit("start", self.start);
      visit("index", self.index);
      visit("least", self.least);
      visit("most", self.most);
    }
  };

  [[nodiscard]] Interval error_of(const Span& span) const;
  /// Does something to every stretch that the round is part of.
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

/// Notices that the margins' distribution has changed, with no labels at all.
///
/// Margins are divided by the norm of their instance, and each `window` of them is held against the one
/// before. A learner's weights grow while it learns, and margins with them; so what is compared is the shape.
/// The distance of two windows is the least that a factor c > 0 can bring their empirical distributions to,
/// sup_x |F1(x) - F2(c x)|. An alarm needs two things:
///
///   distance > 0.1 + sqrt(ln(e/a)/window), by the inequality of Dvoretzky, Kiefer and Wolfowitz for two
///   samples
///              (Wei and Dudley 2012, theorem 1), with a = alpha/(k(k+1)) for the k-th distance
///   distance > 1.5 times the largest of the last 8, of which there must be 4
///
/// The 0.1 and the second are for the learner, which changes margins too: what it usually does is no news.
///
/// Promised: if margins are independent and those of any two successive windows have the same distribution up
/// to scale, the probability of any alarm in the whole run is below alpha. Not promised while the learner
/// still changes the shape of the distribution, which the second condition is for and makes rare, or where
/// successive instances depend on each other. An alarm says that instances or the learner have changed, not
/// that there are more mistakes; and labels that change while instances do not are never noticed here.
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
  std::uint64_t windows_ = 0;   // that are complete
  std::vector<double> before_;  // the last complete window, sorted; empty before the first
  std::vector<double> now_;
  std::vector<double> distances_;  // the last ones, the oldest first
};

/// Is there a factor c > 0 with |F(x) - G(c x)| <= distance for all x, where F and G are the empirical
/// distributions of two samples? REQUIRES: both are sorted and not empty.
bool same_up_to_scale(const std::vector<double>& f, const std::vector<double>& g, double distance);

/// The least such distance, up to a thousandth.
double distance_up_to_scale(const std::vector<double>& f, const std::vector<double>& g);

}  // namespace askfew
