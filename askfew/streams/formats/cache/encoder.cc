#include "askfew/streams/formats/cache/encoder.h"

#include <algorithm>
#include <map>
#include <vector>

#include "askfew/streams/formats/cache/bytes.h"
#include "askfew/streams/formats/cache/indices.h"
#include "askfew/streams/formats/cache/layout.h"
#include "askfew/streams/formats/cache/values.h"
#include "askfew/streams/label_names.h"

namespace askfew {
namespace {

using cache::SectionKind;

class BlockEncoder {
 public:
  explicit BlockEncoder(const Examples& examples) : examples_(examples) {}

  std::string payload(const Stream& stream, std::size_t source) {
    add(SectionKind::source, "", 0, static_cast<std::uint32_t>(source));
    add_features();
    add_labels(stream);
    add_words();
    add_unless_all(std::uint64_t{0}, SectionKind::lines,
                   of_rows<std::uint64_t>([&](auto row) { return examples_.line(row); }));
    add_unless_all(Examples::no_time, SectionKind::times,
                   of_rows<std::int64_t>([&](auto row) { return examples_.time(row); }));
    return std::move(payload_);
  }

 private:
  void add(SectionKind kind, std::string_view bytes, std::uint16_t code = 0, std::uint32_t parameter = 0) {
    append_number(payload_, cache::SectionPrefix{
                                .kind = kind, .code = code, .parameter = parameter, .size = bytes.size()});
    payload_ += bytes;
    payload_.resize(cache::padded(payload_.size()));
  }
  template <class T>
  void add_numbers(SectionKind kind, const std::vector<T>& numbers) {
    add(kind, {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)});
  }
  /// One number per row.
  template <class T, class F>
  std::vector<T> of_rows(F&& f) const {
    std::vector<T> numbers(examples_.size());
    for (std::size_t row = 0; row < numbers.size(); ++row) numbers[row] = static_cast<T>(f(row));
    return numbers;
  }

  void add_features() {
    std::vector<FeatureView::Index> indices;
    std::vector<std::uint32_t> sparse_sizes;
    std::vector<double> values;
    for (std::size_t row = 0; row < examples_.size(); ++row) {
      const FeatureView x = examples_.x(row);
      values.insert(values.end(), x.values(), x.values() + x.size());
      if (x.is_dense()) continue;
      sparse_sizes.push_back(static_cast<std::uint32_t>(x.size()));
      indices.insert(indices.end(), x.indices(), x.indices() + x.size());
    }
    const bool any_dense = sparse_sizes.size() < examples_.size();
    add_numbers(SectionKind::sizes,
                of_rows<std::uint32_t>([&](auto row) { return examples_.x(row).size(); }));
    add_numbers(SectionKind::norms,
                of_rows<double>([&](auto row) { return examples_.x(row).squared_norm(); }));
    if (any_dense) {
      add_numbers(SectionKind::dense,
                  of_rows<std::uint8_t>([&](auto row) { return examples_.x(row).is_dense(); }));
    }
    const CodedIndices gaps = encode_indices(indices, sparse_sizes);
    add(SectionKind::indices, gaps.bytes, gaps.width);
    const CodedValues coded = encode_values(values, any_dense);
    add(SectionKind::values, coded.bytes, static_cast<std::uint16_t>(coded.code), coded.parameter);
  }

  void add_labels(const Stream& stream) {
    std::vector<Examples::LabelId> labels;
    std::map<Examples::LabelId, Examples::LabelId> places;  // places of names
    std::vector<std::string> names;
    for (std::size_t row = 0; row < examples_.size(); ++row) {
      for (const Examples::LabelId id : examples_.labels(row)) {
        if (id < LabelNames::first) {
          labels.push_back(id);
          continue;
        }
        const auto next = LabelNames::first + static_cast<Examples::LabelId>(places.size());
        const auto [place, is_new] = places.try_emplace(id, next);
        labels.push_back(place->second);
        if (is_new) names.push_back(stream.label_name(id));
      }
    }
    add_unless_all(std::uint32_t{1}, SectionKind::label_counts,
                   of_rows<std::uint32_t>([&](auto row) { return examples_.labels(row).size(); }));
    add_numbers(SectionKind::labels, labels);
    add_texts(SectionKind::label_names, names.size(),
              [&](std::size_t k) { return std::string_view(names[k]); });
  }

  void add_words() {
    const WordTable& words = examples_.words();
    add_texts(SectionKind::words, words.size(),
              [&](std::size_t k) { return words[static_cast<WordTable::Number>(k)]; });
  }

  /// Omitted if there are none.
  template <class F>
  void add_texts(SectionKind kind, std::size_t count, F&& text) {
    if (count == 0) return;
    std::string bytes;
    for (std::size_t k = 0; k < count; ++k) append_number(bytes, static_cast<std::uint32_t>(text(k).size()));
    for (std::size_t k = 0; k < count; ++k) bytes += text(k);
    add(kind, bytes, 0, static_cast<std::uint32_t>(count));
  }

  /// Omitted if all numbers have this value.
  template <class T>
  void add_unless_all(T value, SectionKind kind, const std::vector<T>& numbers) {
    const bool all = std::all_of(numbers.begin(), numbers.end(), [&](T number) { return number == value; });
    if (!all) add_numbers(kind, numbers);
  }

  const Examples& examples_;
  std::string payload_;
};

}  // namespace

std::string encode_block(const Examples& examples, const Stream& stream, std::size_t source) {
  return BlockEncoder(examples).payload(stream, source);
}

}  // namespace askfew
