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

std::span<const std::string> Why::of(const Incoming& incoming, std::span<const Decision> decisions) {
  if (sentences_.size() < decisions.size()) sentences_.resize(decisions.size());  // never fewer: memory stays
  for (std::size_t k = 0; k < decisions.size(); ++k) {
    sentences_[k].clear();
    if (decisions[k].asked || !session_.has_topics()) explain(incoming, decisions[k], sentences_[k]);
  }
  return std::span(sentences_).first(decisions.size());
}

void Why::explain(const Incoming& incoming, const Decision& decision, std::string& sentence) {
  const auto [why, score] = session_.explain_last(incoming, decision.task);
  const ModelConfig& config = session_.model().config;
  sentence = "rule ";
  sentence += config.sampler.rule.name;
  if (why.scale > 0) append_format(sentence, ", scale {:.4g}", why.scale);
  append_format(sentence, "; {} {:.4g}, norm {:.4g}", config.together ? "nearest margin" : "margin",
                score.margin, score.norm);
  if (score.spread > 0) append_format(sentence, ", spread {:.4g}", score.spread);
  append_format(sentence, "; probability {:.4g}, coin {:.4g}: ", decision.probability, decision.coin);
  if (why.started) {
    add_threshold(why.threshold, sentence);
  } else {
    sentence += "the learner needs a label first";
  }
  if (why.held_back) sentence += "; the budget held it back";
  if (decision.audited) sentence += "; the audit's coin asked";
  add_features(incoming, why, sentence);
}

void Why::add_features(const Incoming& incoming, const Explanation& why, std::string& sentence) {
  const auto heaviest = why.heaviest.list();
  const FeatureNames::Names& names = names_.of(incoming, session_.model().features, heaviest);
  heaviest_.clear();
  for (std::size_t k = 0; k < heaviest.size(); ++k) {
    heaviest_.push_back({names[k], heaviest[k].share});
    append_format(sentence, "{}{} {:+.4g}", k == 0 ? "; heaviest: " : ", ", names[k], heaviest[k].share);
  }
}

}  // namespace askfew
