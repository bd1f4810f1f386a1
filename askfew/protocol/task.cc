#include "askfew/protocol/task.h"

#include <algorithm>

namespace askfew {

Lookahead::Lookahead(std::span<Task> tasks, std::span<const FeatureView> instances,
                     const NewFeatures* new_features)
    : tasks_(tasks), instances_(instances), new_features_(new_features) {
  for (Task& task : tasks_) {
    task.sampler->read_ahead(instances_);
    is_one_group_ &= task.shared == tasks_[0].shared;
  }
}

Lookahead::~Lookahead() {
  for_each_shared([](SharedWork& shared) { shared.release(); });
  for (Task& task : tasks_) task.sampler->read_ahead({});
}

void Lookahead::go_to(std::size_t row) {
  constexpr std::size_t ahead = 2;  // measured: a run is slower with one row, and with four
  std::span<const FeatureView::Index> upcoming;
  if (new_features_ != nullptr) upcoming = new_features_->of(row == 0 ? 1 : row + ahead, row + ahead + 1);
  for_each_shared([&](SharedWork& shared) { shared.prepare(instances_[row], upcoming); });
}

template <class F>
void Lookahead::for_each_shared(F&& f) {
  const SharedWork* last = nullptr;
  for (Task& task : is_one_group_ ? tasks_.first(std::min<std::size_t>(1, tasks_.size())) : tasks_) {
    if (task.shared.get() == last) continue;
    last = task.shared.get();
    if (task.shared != nullptr) f(*task.shared);
  }
}

std::vector<std::span<Task>> units_of(std::span<Task> tasks) {
  std::vector<std::span<Task>> units;
  for (std::size_t begin = 0; begin < tasks.size();) {
    const SharedWork* shared = tasks[begin].shared.get();
    std::size_t end = begin + 1;
    while (shared != nullptr && end < tasks.size() && tasks[end].shared.get() == shared) ++end;
    units.push_back(tasks.subspan(begin, end - begin));
    begin = end;
  }
  return units;
}

std::vector<double> margins_of(std::span<Task> tasks, std::span<const FeatureView> instances) {
  std::vector<double> margins(instances.size() * tasks.size());
  double* first = margins.data();
  NewFeatures new_features;
  new_features.find(instances);
  for (const std::span<Task> unit : units_of(tasks)) {
    Lookahead lookahead(unit, instances, &new_features);
    for (std::size_t row = 0; row < instances.size(); ++row) {
      lookahead.go_to(row);
      for (std::size_t k = 0; k < unit.size(); ++k) {
        first[row * tasks.size() + k] = unit[k].sampler->margin(instances[row]);
      }
    }
    first += unit.size();
  }
  return margins;
}

}  // namespace askfew
