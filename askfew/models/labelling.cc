#include "askfew/models/labelling.h"

#include <algorithm>
#include <fmt/core.h>

#include "askfew/core/expects.h"

namespace askfew {

Labelling Labelling::plain() {
  Labelling labelling;
  labelling.two_ = {.least = -1, .most = 1, .names = "-1, 0 or +1"};
  labelling.task_of_[1] = 0;
  return labelling;
}

Labelling Labelling::one_two() {
  Labelling labelling;
  labelling.two_ = {.least = 1, .most = 2, .names = "1 or 2"};
  labelling.task_of_[2] = 0;
  return labelling;
}

Labelling Labelling::any_of(std::span<const LabelId> positive) {
  Labelling labelling;
  for (const LabelId id : positive) labelling.task_of_[id] = 0;
  return labelling;
}

Labelling Labelling::one_per_label(std::span<const LabelId> labels) {
  Labelling labelling;
  labelling.tasks_ = labels.size();
  for (std::size_t k = 0; k < labels.size(); ++k) labelling.task_of_[labels[k]] = k;
  return labelling;
}

Labelling Labelling::one_of(std::span<const LabelId> labels) {
  Labelling labelling = one_per_label(labels);
  labelling.one_of_ = true;
  return labelling;
}

tl::expected<void, std::string> Labelling::assign(std::span<const LabelId> given,
                                                  std::span<Label> labels) const {
  EXPECTS(labels.size() == tasks_);
  if (two_) {
    if (given.size() != 1) {
      return tl::make_unexpected(fmt::format("expected one label, {}; see `labels` for topics", two_->names));
    }
    if (given[0] < two_->least || given[0] > two_->most) {
      return tl::make_unexpected(
          fmt::format("label {} is not {}; see `positive` and `labels` for classes", given[0], two_->names));
    }
  }
  std::fill(labels.begin(), labels.end(), Label::negative);
  for (const LabelId id : given) {
    if (const auto found = task_of_.find(id); found != task_of_.end())
      labels[found->second] = Label::positive;
  }
  if (one_of_) {
    const auto found = std::count(labels.begin(), labels.end(), Label::positive);
    if (found != 1) {
      return tl::make_unexpected("expected one of the classes as its label, found " +
                                 (found == 0 ? "none" : std::to_string(found)) + " of them");
    }
  }
  return {};
}

}  // namespace askfew
