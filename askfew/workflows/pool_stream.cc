#include "askfew/workflows/pool_stream.h"

#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"

namespace askfew {

PoolStream::PoolStream(const std::vector<std::string>& paths, const ModelConfig& config, Labels labels,
                       std::shared_ptr<Skipped> skipped)
    : Stream(std::move(skipped)),
      paths_(paths),
      options_(config.features),
      table_(config.table),
      mode_(labels),
      features_(config.features.text),
      scratch_(features_),
      labels_(std::make_shared<LabelNames>()),
      file_(paths[0]) {
  table_.may_lack_label = labels == Labels::not_needed;
  StreamFacts facts{.label_kind = LabelKind::classes,
                    .input = InputKind::text,
                    .dimension = features_.dimension() == 0 ? 0 : features_.dimension() + config.constants()};
  for (const std::string& path : paths_) {
    facts.origins.push_back(origin_of(path));
    facts.origins.back().format = "csv";
  }
  set_facts(std::move(facts));
}

tl::expected<bool, ParseError> PoolStream::next(Examples& block) {
  block.clear();
  block.set_bias(options_.bias);
  while (block.size() == 0 && next_path_ < paths_.size()) {
    file_ = paths_[next_path_++];
    for (const PoolItem& item : read_pool(file_, table_)) {
      if (mode_ == Labels::left_out && !item.label) continue;
      if (mode_ == Labels::needed && !item.label) {
        ParseError error{
            .why = fmt::format("the text {} has no label{}; labels are in the column that the model was "
                               "trained with, or in one called label, class, target or y",
                               in_quotes(item.id), unlabelled_hint),
            .file = file_};
        if (skip(error)) continue;
        return tl::make_unexpected(std::move(error));
      }
      block.begin(0);
      if (item.label) block.add_label(labels_.id(*item.label));
      block.set_id(item.id);
      features_.add(item.text, block, scratch_, TextField());
      features_.finish(block, scratch_);
      block.end_sparse();
      if (options_.normalize && !options_.need_state()) block.normalize(block.size() - 1);
    }
  }
  return block.size() > 0;
}

}  // namespace askfew
