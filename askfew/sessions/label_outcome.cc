#include "askfew/sessions/label_outcome.h"

namespace askfew {

std::string_view text_of(LabelOutcome outcome) {
  switch (outcome) {
    case LabelOutcome::learned:
      return "learned";
    case LabelOutcome::repeated:
      return "repeated";
    case LabelOutcome::corrected:
      return "corrected";
    case LabelOutcome::skipped:
      return "skipped";
    case LabelOutcome::kept:
      return "kept";
    case LabelOutcome::expired:
      return "expired";
    case LabelOutcome::never_asked:
      return "never asked";
    case LabelOutcome::volunteered:
      return "volunteered";
    case LabelOutcome::unsure:
      return "unsure";
    case LabelOutcome::collected:
      return "collected";
    case LabelOutcome::unknown:
      break;
  }
  return "unknown";
}

std::string_view text_of(Volunteered volunteered) {
  switch (volunteered) {
    case Volunteered::kept:
      return "keep";
    case Volunteered::learned:
      return "learn";
    case Volunteered::refused:
      break;
  }
  return "refuse";
}

std::optional<Volunteered> parse_volunteered(std::string_view text) {
  for (const auto one : {Volunteered::refused, Volunteered::kept, Volunteered::learned}) {
    if (text == text_of(one)) return one;
  }
  return std::nullopt;
}

}  // namespace askfew
