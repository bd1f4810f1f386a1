#include "askfew/models/label_plan.h"

#include <algorithm>
#include <span>
#include <utility>

#include "askfew/config/text.h"

namespace askfew {
namespace {

std::string labels_of_another_kind(const std::vector<std::string>& some) {
  std::string such;
  for (const std::string& name : some) such += (such.empty() ? " (such as " : ", ") + in_quotes(name);
  return "the labels" + such + (some.empty() ? "" : ")") +
         " are not -1 and +1: name them with `positive` or `labels`, or learn all as classes with "
         "`multiclass`";
}

}  // namespace

std::vector<std::string> LabelPlan::task_names() const {
  switch (kind) {
    case Kind::plain:
      return {"+1"};
    case Kind::one_two:
      return {"2"};
    case Kind::any_of: {
      std::string joined;
      for (const std::string& name : names) joined += (joined.empty() ? "" : ",") + name;
      return {joined};
    }
    case Kind::one_per_label:
    case Kind::one_of:
      break;
  }
  return names;
}

std::string LabelPlan::name_of(bool positive) const {
  switch (kind) {
    case Kind::plain:
      return positive ? "+1" : "-1";
    case Kind::one_two:
      return positive ? "2" : "1";
    default:
      break;
  }
  if (positive) return task_names()[0];
  return negatives.size() == 1 ? negatives[0] : "not " + task_names()[0];
}

Labelling LabelPlan::labelling(Stream& stream) const {
  if (kind == Kind::plain) {
    if (stream.facts().label_kind == LabelKind::one_two) {
      throw ConfigError("the labels are 1 and 2, not -1 and +1: say which is positive, with `positive` 2");
    }
    if (stream.facts().label_kind != LabelKind::binary)
      throw ConfigError(labels_of_another_kind(stream.facts().some_labels));
  }
  return labelling([&](std::string_view name) { return stream.label_id(name); });
}

Labelling LabelPlan::labelling(const std::function<Examples::LabelId(std::string_view)>& id_of) const {
  if (kind == Kind::one_two) return Labelling::one_two();
  if (kind == Kind::plain) return Labelling::plain();
  std::vector<std::string> known = all.empty() ? names : all;
  known.insert(known.end(), negatives.begin(), negatives.end());
  std::vector<Examples::LabelId> ids;
  ids.reserve(known.size());
  for (const std::string& name : known) {
    ids.push_back(id_of(name));
    if (std::find(ids.begin(), ids.end() - 1, ids.back()) != ids.end() - 1) {
      throw ConfigError("the label " + in_quotes(name) +
                        " is named twice in `positive`, `negative` or `labels`");
    }
  }
  const std::span<const Examples::LabelId> of_names =
      std::span(ids).subspan(all.empty() ? 0 : first, names.size());
  if (kind == Kind::one_per_label) return Labelling::one_per_label(of_names);
  Labelling labelling = kind == Kind::any_of ? Labelling::any_of(of_names) : Labelling::one_of(of_names);
  if (kind == Kind::one_of || !negatives.empty()) labelling.accept_only(ids, std::move(known));
  return labelling;
}

}  // namespace askfew
