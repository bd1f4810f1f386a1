#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "askfew/streams/stream.h"

namespace askfew {

struct GeneratorInfo {
  std::string_view name;
  std::string_view formula;
  std::string_view paper;
};

/// Makes the examples of a synthetic stream from a known teacher.
class Generator {
 public:
  static constexpr double max_features = 1 << 24;

  /// `row_size` is the number of features that an instance stores.
  Generator(double rounds, double dimension, double row_size)
      : rounds_(static_cast<std::uint64_t>(rounds)),
        dimension_(static_cast<FeatureView::Index>(dimension)),
        row_size_(static_cast<std::size_t>(row_size)) {}
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  Generator(Generator&&) = delete;
  Generator& operator=(Generator&&) = delete;
  virtual ~Generator() = default;

  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }
  [[nodiscard]] FeatureView::Index dimension() const { return dimension_; }
  [[nodiscard]] std::size_t row_size() const { return row_size_; }
  [[nodiscard]] virtual LabelKind label_kind() const { return LabelKind::binary; }

  /// Adds the example of a round, from 1 on. The example does not depend on examples made before.
  virtual void add(std::uint64_t round, Examples& block) = 0;

  /// The vector u of a round: without noise, x has the label if and only if u.x > 0. The label is +1, or a
  /// topic.
  [[nodiscard]] std::vector<double> teacher(std::uint64_t round, Examples::LabelId label = 1) const {
    return teacher_of(round, label);
  }

 private:
  [[nodiscard]] virtual std::vector<double> teacher_of(std::uint64_t round,
                                                       Examples::LabelId label) const = 0;

  std::uint64_t rounds_;
  FeatureView::Index dimension_;
  std::size_t row_size_;
};

}  // namespace askfew
