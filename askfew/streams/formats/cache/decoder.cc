#include "askfew/streams/formats/cache/decoder.h"

#include <array>

#include "askfew/core/expects.h"
#include "askfew/streams/formats/cache/bytes.h"
#include "askfew/streams/formats/cache/indices.h"
#include "askfew/streams/formats/cache/layout.h"
#include "askfew/streams/formats/cache/values.h"

namespace askfew {
namespace cache {

struct Section {
  bool is_there = false;
  std::uint16_t code = 0;
  std::uint32_t parameter = 0;
  std::string_view bytes{};
};

}  // namespace cache

namespace {

using cache::Section;
using cache::SectionKind;
using cache::SectionPrefix;

/// The fault of a block.
struct Malformed {
  std::string why;
};

void expect(bool condition, const char* why) {
  if (!condition) throw Malformed{why};
}

/// The texts of a section with texts.
template <class F>
void for_each_text(const Section& section, F&& f) {
  const std::size_t count = section.parameter;
  expect(section.bytes.size() / sizeof(std::uint32_t) >= count, "its texts are malformed");
  std::string_view rest = section.bytes.substr(count * sizeof(std::uint32_t));
  for (std::size_t k = 0; k < count; ++k) {
    const auto size = number_at<std::uint32_t>(section.bytes.data(), k);
    expect(size <= rest.size(), "its texts are malformed");
    f(rest.substr(0, size));
    rest.remove_prefix(size);
  }
}

}  // namespace

struct BlockDecoder::Sections {
  std::array<Section, static_cast<std::size_t>(SectionKind::words) + 1> all{};

  [[nodiscard]] const Section& operator[](SectionKind kind) const {
    return all[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] bool has(SectionKind kind) const { return (*this)[kind].is_there; }
  /// The k-th number of a section.
  template <class T>
  [[nodiscard]] T at(SectionKind kind, std::size_t k) const {
    return number_at<T>((*this)[kind].bytes.data(), k);
  }
};

tl::expected<std::size_t, std::string> BlockDecoder::decode(std::string_view payload, std::size_t rows,
                                                            Examples& out) {
  EXPECTS(out.size() == 0 && !out.has_bias());
  try {
    const Sections sections = split(payload, rows);
    const Counts counts = count(sections, rows);
    const std::size_t source = sections[SectionKind::source].parameter;
    expect(source < limits_.sources, "it comes from no source of the header");
    const Examples::Bulk bulk = out.add_bulk(counts.indices, counts.values, counts.labels);
    const auto& values = sections[SectionKind::values];
    expect(decode_values(static_cast<ValueCode>(values.code), values.parameter, values.bytes, bulk.values),
           "its values are malformed");
    read_labels(sections, bulk.labels);
    read_words(sections, out.words());
    switch (sections[SectionKind::indices].code) {
      case 1:
        add_rows<std::uint8_t>(sections, rows, bulk, out);
        break;
      case 2:
        add_rows<std::uint16_t>(sections, rows, bulk, out);
        break;
      default:
        add_rows<std::uint32_t>(sections, rows, bulk, out);
    }
    return source;
  } catch (const Malformed& malformed) {
    out.clear();
    return tl::make_unexpected(malformed.why);
  }
}

BlockDecoder::Sections BlockDecoder::split(std::string_view payload, std::size_t rows) {
  Sections sections;
  while (!payload.empty()) {
    expect(payload.size() >= sizeof(SectionPrefix), "it ends in a section");
    const auto prefix = number_at<SectionPrefix>(payload.data());
    payload.remove_prefix(sizeof prefix);
    expect(prefix.size <= payload.size() && cache::padded(prefix.size) <= payload.size(),
           "it ends in a section");
    const auto kind = static_cast<std::size_t>(prefix.kind);
    expect(kind < sections.all.size(), "it has a section that this version does not know");
    sections.all[kind] = {.is_there = true,
                          .code = prefix.code,
                          .parameter = prefix.parameter,
                          .bytes = payload.substr(0, prefix.size)};
    payload.remove_prefix(cache::padded(prefix.size));
  }
  const auto expect_size = [&](SectionKind kind, std::size_t size, bool may_be_left_out) {
    const auto& section = sections[kind];
    expect(section.is_there ? section.bytes.size() == size : may_be_left_out, "a section has not its size");
  };
  expect_size(SectionKind::sizes, rows * sizeof(std::uint32_t), false);
  expect_size(SectionKind::norms, rows * sizeof(double), false);
  expect_size(SectionKind::label_counts, rows * sizeof(std::uint32_t), true);
  expect_size(SectionKind::lines, rows * sizeof(std::uint64_t), true);
  expect_size(SectionKind::times, rows * sizeof(std::int64_t), true);
  expect_size(SectionKind::dense, rows, true);
  return sections;
}

BlockDecoder::Counts BlockDecoder::count(const Sections& sections, std::size_t rows) {
  Counts counts;
  const bool any_dense = sections.has(SectionKind::dense);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto size = sections.at<std::uint32_t>(SectionKind::sizes, row);
    counts.values += size;
    if (!any_dense || sections.at<std::uint8_t>(SectionKind::dense, row) == 0) counts.indices += size;
    counts.labels += sections.has(SectionKind::label_counts)
                         ? sections.at<std::uint32_t>(SectionKind::label_counts, row)
                         : 1;
  }
  const auto& indices = sections[SectionKind::indices];
  expect(indices.code == 1 || indices.code == 2 || indices.code == 4, "its indices are malformed");
  expect(indices.bytes.size() == counts.indices * indices.code, "a section has not its size");
  expect(sections[SectionKind::labels].bytes.size() == counts.labels * sizeof(Examples::LabelId),
         "a section has not its size");
  // Every value takes at least one byte in some section, so that a small block cannot claim much memory.
  const bool has_bytes = sections[SectionKind::values].bytes.size() >= counts.values;
  expect(has_bytes || !any_dense, "its values are malformed");
  return counts;
}

void BlockDecoder::read_labels(const Sections& sections, std::span<Examples::LabelId> labels) {
  name_ids_.clear();
  for_each_text(sections[SectionKind::label_names],
                [&](std::string_view name) { name_ids_.push_back(names_.id(name)); });
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const auto label = sections.at<Examples::LabelId>(SectionKind::labels, k);
    if (label < LabelNames::first) {
      labels[k] = label;
    } else {
      const auto place = static_cast<std::size_t>(label - LabelNames::first);
      expect(place < name_ids_.size(), "a label of it has no name");
      labels[k] = name_ids_[place];
    }
  }
}

void BlockDecoder::read_words(const Sections& sections, WordTable& words) {
  for_each_text(sections[SectionKind::words], [&](std::string_view word) {
    const std::size_t before = words.size();
    expect(words.add(word) == before, "a word occurs twice");
  });
}

template <class Gap>
void BlockDecoder::add_rows(const Sections& sections, std::size_t rows, Examples::Bulk bulk,
                            Examples& out) const {
  const bool any_dense = sections.has(SectionKind::dense);
  const bool counts_labels = sections.has(SectionKind::label_counts);
  const bool has_lines = sections.has(SectionKind::lines);
  const bool has_times = sections.has(SectionKind::times);
  const bool has_words = sections.has(SectionKind::words);
  const std::uint64_t max_features = has_words ? out.words().size() : limits_.dimension;
  const char* gaps = sections[SectionKind::indices].bytes.data();
  for (std::size_t row = 0; row < rows; ++row) {
    Examples::Shape shape{.size = sections.at<std::uint32_t>(SectionKind::sizes, row),
                          .squared_norm = sections.at<double>(SectionKind::norms, row)};
    shape.dense = any_dense && sections.at<std::uint8_t>(SectionKind::dense, row) != 0;
    std::uint64_t extent = shape.size;
    if (!shape.dense) {
      extent = decode_indices<Gap>(gaps, bulk.indices.first(shape.size));
      gaps += shape.size * sizeof(Gap);
      bulk.indices = bulk.indices.subspan(shape.size);
    }
    expect(extent <= max_features, "it has more features than it should");
    shape.extent = static_cast<Index>(extent);
    shape.label_count = counts_labels ? sections.at<std::uint32_t>(SectionKind::label_counts, row) : 1;
    if (has_lines) shape.line = sections.at<std::uint64_t>(SectionKind::lines, row);
    if (has_times) shape.time = sections.at<std::int64_t>(SectionKind::times, row);
    out.add_shaped(shape);
  }
}

}  // namespace askfew
