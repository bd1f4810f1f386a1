#pragma once

#include <cstdint>
#include <vector>

#include "askfew/estimates/estimate.h"
#include "askfew/sessions/session.h"

namespace askfew {

/// How a session went, in a bounded number of points for charts. The points follow from the ledger's lines.
class History {
 public:
  static constexpr std::size_t max_points = 400;

  struct Point {
    std::uint64_t round = 0;
    std::uint64_t asked = 0;
    std::uint64_t answered = 0;  ///< labels that were learned
    std::int64_t time = 0;       ///< in microseconds since 1970
    struct Figures {
      Estimated error;
      Estimated f1;

      static void state(auto& self, auto& visit) {
        visit("error", self.error.value);
        visit("error_low", self.error.interval.low);
        visit("error_high", self.error.interval.high);
        visit("f1", self.f1.value);
        visit("f1_low", self.f1.interval.low);
        visit("f1_high", self.f1.interval.high);
      }
    };
    std::vector<Figures> figures{};  ///< with an audit: of each topic, else one

    static void state(auto& self, auto& visit) {
      visit("round", self.round);
      visit("asked", self.asked);
      visit("answered", self.answered);
      visit("time", self.time);
      visit("figures", self.figures);
    }
  };
  /// Call after each line; keeps a point now and then.
  void add(const Session& session);
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  static Point point_of(const Session& session);

  static void state(auto& self, auto& visit) {
    visit("points", self.points_);
    visit("lines", self.lines_);
    visit("stride", self.stride_);
  }

 private:
  std::vector<Point> points_;
  std::uint64_t lines_ = 0;
  std::uint64_t stride_ = 1;  // lines from one point to the next, a power of two
};

}  // namespace askfew
