#include "askfew/protocol/label_plan.h"

#include <algorithm>

#include "askfew/core/text.h"

namespace askfew {

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
    case Kind::one_a_label:
    case Kind::one_of:
      break;
  }
  return names;
}

Labelling LabelPlan::labelling(Stream& stream) const {
  if (kind == Kind::one_two) return Labelling::one_two();
  if (kind == Kind::plain) {
    if (stream.label_kind() == LabelKind::one_two) return Labelling::one_two();
    if (stream.label_kind() == LabelKind::binary) return Labelling::plain();
    std::string such;
    for (const std::string& name : stream.some_labels())
      such += (such.empty() ? " (such as " : ", ") + in_quotes(name);
    throw ConfigError(
        "the labels" + such + (such.empty() ? "" : ")") +
        " are not -1 and +1: name the positive ones with --positive, or a task each with --labels");
  }
  std::vector<Examples::LabelId> ids;
  ids.reserve(names.size());
  for (const std::string& name : names) {
    ids.push_back(stream.label_id(name));
    if (std::find(ids.begin(), ids.end() - 1, ids.back()) != ids.end() - 1) {
      throw ConfigError("the label " + in_quotes(name) + " is named twice in --positive or --labels");
    }
  }
  if (kind == Kind::any_of) return Labelling::any_of(ids);
  return kind == Kind::one_of ? Labelling::one_of(ids) : Labelling::one_a_label(ids);
}

}  // namespace askfew
