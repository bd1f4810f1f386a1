#include "askfew/streams/record_stream.h"

#include <fmt/core.h>
#include <utility>

#include "askfew/streams/text_bytes.h"

namespace askfew {

RecordStream::RecordStream(std::unique_ptr<ByteSource> source, std::unique_ptr<Format> format,
                           const Options& options)
    : Stream(options.skipped),
      source_(std::move(source)),
      format_(std::move(format)),
      options_(options),
      lines_(format_->header_lines()) {
  StreamFacts facts = format_->facts();
  if (facts.dimension != 0 && options_.bias != 0) ++facts.dimension;
  if (facts.origins.empty()) facts.origins = options_.origins;
  set_facts(std::move(facts));
}

tl::expected<bool, ParseError> RecordStream::next(Examples& block) {
  if (!pipeline_) {
    pipeline_.emplace(*source_, *format_,
                      ChunkPipeline::Options{.bias = options_.bias,
                                             .normalize = options_.normalize,
                                             .threads = options_.threads,
                                             .chunk = options_.chunk,
                                             .skips_malformed = options_.skipped != nullptr});
  }
  block.clear();
  while (!error_ && block.size() == 0) {
    std::swap(chunk_.examples, block);  // reuses its memory
    if (!next_chunk()) return at_end();
    std::swap(chunk_.examples, block);
    block.set_lines_before(lines_);
    for (ParseError& error : chunk_.errors) {
      error = in_this_file(std::move(error));
      if (skip(error)) continue;
      if (!options_.guessed_format.empty()) {
        error.why += fmt::format(" (read as {}; see `format`)", options_.guessed_format);
      }
      error_ = std::move(error);
    }
    skip_more(chunk_.more_errors);
    if (chunk_.damage && !error_) error_ = ParseError{.why = *chunk_.damage, .file = source_->name()};
    if (not_utf8_ == 0) first_not_utf8_ = lines_ + chunk_.first_not_utf8;
    not_utf8_ += chunk_.not_utf8;
    lines_ += chunk_.lines;
    weighted_ += chunk_.weighted;
    unlabelled_ += chunk_.unlabelled;
  }
  if (block.size() > 0) return true;
  return tl::make_unexpected(*error_);
}

bool RecordStream::next_chunk() {
  try {
    return pipeline_->next(chunk_);
  } catch (const MemoryError& error) {
    const std::string place = format_->has_lines() ? fmt::format("{}:{}", name(), lines_ + 1) : name();
    throw MemoryError(fmt::format("{}: {}", place, error.what()));
  }
}

std::vector<std::string> RecordStream::notes() const {
  std::vector<std::string> all = format_->notes();
  if (weighted_ > 0) {
    all.push_back(
        fmt::format("{}: {} examples have an importance other than 1, which is not used", name(), weighted_));
  }
  if (unlabelled_ > 0) {
    all.push_back(fmt::format("{}: {} examples without a label were left out", name(), unlabelled_));
  }
  if (not_utf8_ > 0) {
    all.push_back(fmt::format("{}:{}: {}", name(), first_not_utf8_, texts_not_utf8(not_utf8_)));
  }
  return all;
}

tl::expected<bool, ParseError> RecordStream::at_end() {
  if (options_.stop != nullptr && *options_.stop) return false;  // the signal also ended the reading
  const std::string& failure = source_->failure();
  const std::string why = failure.empty() ? format_->wrong_at_end(pipeline_->bytes()) : failure;
  if (why.empty()) return false;
  const bool has_lines = format_->has_lines();
  error_ = ParseError{.line = has_lines ? lines_ + 1 : 0,
                      .column = has_lines ? std::size_t{1} : 0,
                      .why = why,
                      .file = source_->name()};
  return tl::make_unexpected(*error_);
}

ParseError RecordStream::in_this_file(ParseError error) const {
  if (format_->has_lines()) error.line += lines_;
  error.file = name();
  return error;
}

}  // namespace askfew
