#include "askfew/models/labelling.h"

#include <algorithm>
#include <fmt/core.h>

#include "askfew/config/nearest_name.h"
#include "askfew/config/text.h"
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

void Labelling::accept_only(std::span<const LabelId> labels, std::vector<std::string> names) {
  accepted_.assign(labels.begin(), labels.end());
  std::sort(accepted_.begin(), accepted_.end());
  accepted_names_ = std::move(names);
}

std::optional<std::size_t> Labelling::task_of(LabelId id) const {
  const auto found = task_of_.find(id);
  return found == task_of_.end() ? std::nullopt : std::optional(found->second);
}

const Labelling::LabelId* Labelling::stranger(std::span<const LabelId> given) const {
  if (accepted_.empty()) return nullptr;
  for (const LabelId& id : given) {
    if (!std::binary_search(accepted_.begin(), accepted_.end(), id)) return &id;
  }
  return nullptr;
}

std::string Labelling::refusal_of(std::string_view name) const {
  constexpr std::size_t most = 20;
  std::string accepted;
  for (std::size_t k = 0; k < std::min(most, accepted_names_.size()); ++k) {
    accepted += (k == 0 ? "" : ", ") + in_quotes(accepted_names_[k]);
  }
  if (accepted_names_.size() > most) accepted += ", ...";
  return fmt::format("label {} is not one of {}{}", in_quotes(name), one_of_ ? "the classes " : "",
                     accepted) +
         (nearest_name(name, accepted_names_).empty()
              ? ""
              : fmt::format(": did you mean {}?", in_quotes(nearest_name(name, accepted_names_))));
}

tl::expected<void, std::string> Labelling::assign(std::span<const LabelId> given,
                                                  std::span<Label> labels) const {
  EXPECTS(labels.size() == tasks_);
  if (two_) {
    if (given.size() != 1) {
      return tl::make_unexpected(
          given.empty()
              ? fmt::format("expected one label, {}, and the example has none; see `labels` for topics, "
                            "and `on_error`",
                            two_->names)
              : fmt::format("expected one label, {}; see `labels` for topics", two_->names));
    }
    if (given[0] < two_->least || given[0] > two_->most) {
      return tl::make_unexpected(
          fmt::format("label {} is not {}; see `positive` and `labels` for classes", given[0], two_->names));
    }
    labels[0] = given[0] == two_->most ? Label::positive : Label::negative;
    return {};
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
