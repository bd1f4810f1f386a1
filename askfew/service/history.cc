#include "askfew/service/history.h"

namespace askfew {

History::Point History::point_of(const Session& session) {
  const Tally& tally = session.model().tally(0);
  Point point{.round = tally.round,
              .asked = tally.asked,
              .answered = session.counts().labels[static_cast<std::size_t>(LabelOutcome::learned)],
              .time = session.time()};
  if (session.watch() != nullptr) point.quality = session.watch()->watch().estimate().whole();
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
