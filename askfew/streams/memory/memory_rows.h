#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/features/text_features.h"

// Threads: an object is for one thread at a time. The caller's memory must not change while it is read.

namespace askfew {

/// Instances in the caller's memory: the rows of a matrix, or texts. They are not copied, so they must
/// outlive this object.
class MemoryRows {
 public:
  MemoryRows() = default;
  MemoryRows(const MemoryRows&) = delete;
  MemoryRows& operator=(const MemoryRows&) = delete;
  MemoryRows(MemoryRows&&) = delete;
  MemoryRows& operator=(MemoryRows&&) = delete;
  virtual ~MemoryRows() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;
  /// The number of features without the constant; 0: not fixed.
  [[nodiscard]] virtual FeatureView::Index dimension() const = 0;
  /// Do the rows have words and names, instead of numbers by their index?
  [[nodiscard]] virtual bool has_words() const { return false; }
  /// Texts become features by these options. Call it before any of the functions above and below, if the rows
  /// may be texts.
  virtual void set_text_options(const TextOptions& /*options*/) {}

  /// A row where it is; nothing if the row must be converted, always or never. THROWS: DataError with the
  /// row.
  [[nodiscard]] virtual std::optional<FeatureView> in_place(std::size_t row) const = 0;
  /// Adds the features of a row to the example under construction, and ends the example. THROWS: DataError
  /// with the row.
  virtual void add(std::size_t row, Examples& block) = 0;
};

/// The rows of a dense matrix, row after row. `Value` is double or float; rows of double are used in place.
template <class Value>
class DenseRows final : public MemoryRows {
 public:
  /// REQUIRES: rows * columns values. THROWS: DataError for too many columns.
  DenseRows(const Value* values, std::size_t rows, std::size_t columns);

  [[nodiscard]] std::size_t size() const override { return rows_; }
  [[nodiscard]] FeatureView::Index dimension() const override {
    return static_cast<FeatureView::Index>(columns_);
  }
  [[nodiscard]] std::optional<FeatureView> in_place(std::size_t row) const override;
  void add(std::size_t row, Examples& block) override;

 private:
  const Value* values_;
  std::size_t rows_;
  std::size_t columns_;
};

/// The rows of a sparse matrix in compressed rows: row k has the entries [begins[k], begins[k + 1]). `Index`
/// is int32 or int64; rows of int32 and double are used in place.
template <class Index, class Value>
class CsrRows final : public MemoryRows {
 public:
  /// `columns`: 0 if their number is not fixed. THROWS: DataError if the arrays do not fit together.
  CsrRows(std::span<const Index> begins, std::span<const Index> indices, std::span<const Value> values,
          std::size_t columns);

  [[nodiscard]] std::size_t size() const override { return begins_.size() - 1; }
  [[nodiscard]] FeatureView::Index dimension() const override {
    return static_cast<FeatureView::Index>(columns_);
  }
  [[nodiscard]] std::optional<FeatureView> in_place(std::size_t row) const override;
  void add(std::size_t row, Examples& block) override;

 private:
  struct Entries {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  [[nodiscard]] Entries entries(std::size_t row) const;

  std::span<const Index> begins_;
  std::span<const Index> indices_;
  std::span<const Value> values_;
  std::size_t columns_;
};

/// Texts, or features with names, as in lines of JSON.
class WordRows final : public MemoryRows {
 public:
  struct Named {
    std::string name;
    double value = 0;
  };
  /// A row has a text, or named features, or both.
  struct Row {
    std::string_view text{};
    std::vector<Named> named{};
  };

  explicit WordRows(std::vector<Row> rows) : rows_(std::move(rows)) {}

  [[nodiscard]] std::size_t size() const override { return rows_.size(); }
  [[nodiscard]] bool has_words() const override { return true; }
  [[nodiscard]] FeatureView::Index dimension() const override { return features_->dimension(); }
  void set_text_options(const TextOptions& options) override;
  [[nodiscard]] std::optional<FeatureView> in_place(std::size_t /*row*/) const override {
    return std::nullopt;
  }
  void add(std::size_t row, Examples& block) override;

 private:
  std::vector<Row> rows_;
  std::optional<TextFeatures> features_;
  std::optional<TextScratch> scratch_;
};

/// Appends a row with its labels to a block as a stream would: with the constant and the norm of the options.
void append_row(MemoryRows& rows, std::size_t row, std::span<const Examples::LabelId> labels,
                const FeatureOptions& options, Examples& block);

}  // namespace askfew
