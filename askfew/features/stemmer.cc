#include "askfew/features/stemmer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <libstemmer.h>
#include <new>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr std::size_t max_remembered = std::size_t{1} << 16;

}  // namespace

std::vector<std::string_view> Stemmer::names() {
  std::vector<std::string_view> all;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) all.emplace_back(*name);
  return all;
}

void Stemmer::Delete::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

Stemmer::Stemmer(const std::string& name) : stemmer_(sb_stemmer_new(name.c_str(), "UTF_8")) {
  if (stemmer_ == nullptr) {
    throw ConfigError(fmt::format("stem '{}' is not one of: {}", name, fmt::join(names(), ", ")));
  }
}

std::string_view Stemmer::operator()(std::string_view word) {
  if (words_.size() == max_remembered) {
    words_.clear();
    stems_.clear();
    ends_.clear();
  }
  const WordTable::Number number = words_.add(word);
  if (number == ends_.size()) {
    stems_ += compute(word);
    ends_.push_back(stems_.size());
  }
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  return std::string_view(stems_).substr(begin, ends_[number] - begin);
}

std::string_view Stemmer::compute(std::string_view word) {
  const sb_symbol* stem = sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                                          static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
}

}  // namespace askfew
