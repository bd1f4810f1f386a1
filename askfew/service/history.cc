#include "askfew/service/history.h"

namespace askfew {

History::Point History::point_of(const Session& session) {
  const Tally tally = session.tally();
  Point point{.round = tally.round,
              .asked = tally.asked,
              .answered = session.counts().labels[static_cast<std::size_t>(LabelOutcome::learned)],
              .time = session.time()};
  for (const SessionMonitor& monitor : session.monitors()) {
    const Quality whole = monitor.watch().estimate().whole();
    point.figures.push_back({.error = whole.error, .f1 = whole.f1});
  }
  return point;
}

void History::add(const Session& session) {
  if (++lines_ % stride_ != 0) return;
  points_.push_back(point_of(session));
  if (points_.size() < max_points) return;
  // Keep every second point: those at the multiples of the doubled stride.
  for (std::size_t k = 1; k < points_.size(); k += 2) points_[k / 2] = points_[k];
  points_.resize(points_.size() / 2);
  stride_ *= 2;
}

}  // namespace askfew
