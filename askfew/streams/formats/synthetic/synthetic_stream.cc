#include "askfew/streams/formats/synthetic/synthetic_stream.h"

#include <algorithm>
#include <utility>

#include "askfew/streams/formats/common/integer_labels.h"

namespace askfew {

SyntheticStream::SyntheticStream(std::string name, std::unique_ptr<Generator> generator,
                                 const StreamOptions& options)
    : name_(std::move(name)),
      generator_(std::move(generator)),
      bias_(options.features.bias),
      normalize_(options.features.normalize && !options.features.need_state()),
      block_size_(std::max<std::size_t>(1, options.chunk / (generator_->row_size() * sizeof(double)))),
      stop_(options.stop) {
  set_facts({.label_kind = generator_->label_kind(),
             .input = InputKind::numbers,
             .dimension = generator_->dimension() + (bias_ == 0 ? 0 : 1),
             .origins = {{.name = name_}}});
}

tl::expected<bool, ParseError> SyntheticStream::next(Examples& block) {
  block.clear();
  if (stop_ != nullptr && *stop_) return false;
  block.set_bias(bias_);
  while (rounds_ < generator_->rounds() && block.size() < block_size_) {
    generator_->add(++rounds_, block);
    if (normalize_) block.normalize(block.size() - 1);
  }
  return block.size() > 0;
}

Examples::LabelId SyntheticStream::label_id(std::string_view name) {
  return integer_label(name);
}

}  // namespace askfew
