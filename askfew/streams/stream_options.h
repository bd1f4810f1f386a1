#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/formats/packages.h"
#include "askfew/streams/formats/reuters/reuters.h"
#include "askfew/streams/formats/tables/table_schema.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// In which order examples come.
enum class Order : std::uint8_t {
  file,  ///< as they are written
  time   ///< see TimeOrder
};

/// How to read data. What the examples of a format depend on is listed in reading.cc, too.
struct StreamOptions {
  std::string format = "auto";          ///< a name of `format_names`, or auto
  std::string idx_labels{};             ///< empty: beside the images, by name
  FeatureView::Index dimension = 0;     ///< most features, without the constant; 0: any
  FeatureView::Index index_base = 1;    ///< of svmlight text, 0 or 1
  TableOptions table{};                 ///< what is told of a table
  std::optional<TableSchema> schema{};  ///< of a table that was read before; takes the place of `table`
  bool needs_labels = true;             ///< else those of a table may be missing
  PackagesFormat::LabelField label_field = PackagesFormat::LabelField::section;
  /// What needs the order of the instances is left to a FeatureState.
  FeatureOptions features{};
  ReutersOptions reuters{};
  Order order = Order::file;
  std::size_t max_line =
      ReadingLimits{}.max_line;  ///< bytes of a line, or of a record that has several lines
  /// What unusual amounts of memory are counted against (see ReadingMemory); null: no limit.
  std::shared_ptr<MemoryLimit> memory{};
  unsigned threads = 1;                      ///< that parse; the examples are the same
  std::size_t chunk = std::size_t{1} << 18;  ///< bytes that are parsed at once
  std::shared_ptr<Skipped> skipped{};  ///< where malformed examples are counted; null: they end the stream
  const std::atomic<bool>* stop = nullptr;  ///< set from outside to end the stream
};

}  // namespace askfew
