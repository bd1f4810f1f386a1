#include "askfew/sessions/feature_names.h"

#include <algorithm>

#include "askfew/streams/formats/svmlight/svmlight.h"

namespace askfew {

FeatureNames::FeatureNames(const ModelConfig& config)
    : shift_(config.constants()),
      features_(config.features.text),
      scratch_(features_),
      splitter_(config.features.text.fold),
      labels_(std::make_shared<LabelNames>()),
      reader_(SvmlightFormat::max_features, labels_, config.table) {}

const FeatureNames::Names& FeatureNames::of(const Incoming& incoming, const FeatureState& state,
                                            std::span<const FeatureShare> features) {
  for (std::string& name : names_) name.clear();
  unnamed_ = features.size();
  if (features.empty()) return names_;
  const WordTable& words = state.words();
  if (!features_.options().dictionary) look_at_line(incoming.line, features);
  for (std::size_t k = 0; k < features.size(); ++k) {
    const FeatureView::Index index = features[k].index;
    if (index < shift_) {
      names_[k] = "the constant";
    } else if (index - shift_ < words.size()) {
      names_[k] = words[index - shift_];
    } else if (names_[k].empty()) {
      names_[k] = "feature " + std::to_string(index - shift_);
    }
  }
  return names_;
}

void FeatureNames::look_at_line(std::string_view line, std::span<const FeatureShare> features) {
  const auto record = reader_.read_any(line);
  if (!record || (*record)->form != JsonRecord::Form::words) return;
  const std::string_view names = (*record)->names;
  for (const JsonRecord::Named& named : (*record)->named) {
    const std::string_view name = names.substr(named.begin, named.size);
    found(features_.named(name, block_, scratch_), "", name, features);
  }
  for (const JsonRecord::Text& text : (*record)->texts) look_at(text, features);
}

void FeatureNames::look_at(const JsonRecord::Text& text, std::span<const FeatureShare> features) {
  const TextField field = text.field.empty() ? TextField() : TextField(text.field);
  splitter_.split(text.text, words_);
  for (const std::string_view word : words_.list) {
    if (unnamed_ == 0) return;
    if (const auto number = features_.number_of(word, scratch_, field)) {
      found(*number, text.field, word, features);
    }
  }
}

void FeatureNames::found(FeatureView::Index index, std::string_view field, std::string_view name,
                         std::span<const FeatureShare> features) {
  for (std::size_t k = 0; k < features.size(); ++k) {
    if (features[k].index != index + shift_ || !names_[k].empty()) continue;
    if (!field.empty()) (names_[k] = field) += ':';
    names_[k] += name;
    if (!names_[k].empty()) --unnamed_;
  }
}

}  // namespace askfew
