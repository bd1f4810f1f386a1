#include "askfew/sessions/why.h"

#include <cmath>

#include "askfew/sessions/append_format.h"

namespace askfew {
namespace {

void add_threshold(const std::optional<double>& threshold, std::string& out) {
  if (!threshold) {
    out += "asks at no margin";
  } else if (std::isinf(*threshold)) {
    out += "asks at any margin";
  } else {
    append_format(out, "asks up to |margin| {:.4g}", *threshold);
  }
}

}  // namespace

const std::string& Why::of(const Incoming& incoming, const Decision& decision) {
  const auto [why, score] = session_.explain_last(incoming);
  sentence_ = "rule ";
  sentence_ += session_.model().config.sampler.rule.name;
  if (why.scale > 0) append_format(sentence_, ", scale {:.4g}", why.scale);
  append_format(sentence_, "; margin {:.4g}, norm {:.4g}", score.margin, score.norm);
  if (score.spread > 0) append_format(sentence_, ", spread {:.4g}", score.spread);
  append_format(sentence_, "; probability {:.4g}, coin {:.4g}: ", decision.probability, decision.coin);
  if (why.started) {
    add_threshold(why.threshold, sentence_);
  } else {
    sentence_ += "the learner needs a label first";
  }
  if (why.held_back) sentence_ += "; the budget held it back";
  if (decision.audited) sentence_ += "; the audit's coin asked";
  add_features(incoming, why);
  return sentence_;
}

void Why::add_features(const Incoming& incoming, const Explanation& why) {
  const auto heaviest = why.heaviest.list();
  const FeatureNames::Names& names = names_.of(incoming, session_.model().features, heaviest);
  heaviest_.clear();
  for (std::size_t k = 0; k < heaviest.size(); ++k) {
    heaviest_.push_back({names[k], heaviest[k].share});
    append_format(sentence_, "{}{} {:+.4g}", k == 0 ? "; heaviest: " : ", ", names[k], heaviest[k].share);
  }
}

}  // namespace askfew
