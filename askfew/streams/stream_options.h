#pragma once

// How to read data.

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

/// The order of the examples.
enum class Order : std::uint8_t {
  file,   ///< as written
  time,   ///< by the examples' times
  random  ///< shuffled by `order_seed`
};

/// How to read data. reading.cc also lists the options that a format's examples depend on.
struct StreamOptions {
  std::string format = "auto";          ///< a name of `format_names`, or auto
  std::string idx_labels{};             ///< empty: found next to the images, by name
  FeatureView::Index dimension = 0;     ///< most features, without the constant; 0: no limit
  FeatureView::Index index_base = 1;    ///< for svmlight text, 0 or 1
  TableOptions table{};                 ///< the user's options for a table
  std::optional<TableSchema> schema{};  ///< of a table that was read before; replaces `table`
  Unlabelled unlabelled = Unlabelled::malformed;
  PackagesFormat::LabelField label_field = PackagesFormat::LabelField::section;
  /// A FeatureState handles the options that depend on the order of the instances.
  FeatureOptions features{};
  ReutersOptions reuters{};
  Order order = Order::file;     ///< other orders than that of the file: see OrderedStream
  std::uint64_t order_seed = 0;  ///< of the random order
  std::size_t max_line =
      ReadingLimits{}.max_line;  ///< most bytes of a line, or of a record with several lines
  /// The limit for unusual amounts of memory (see ReadingMemory); null: no limit.
  std::shared_ptr<MemoryLimit> memory{};
  unsigned threads = 1;                      ///< number of parsing threads; does not change the examples
  std::size_t chunk = std::size_t{1} << 18;  ///< bytes per parsed chunk
  std::shared_ptr<Skipped> skipped{};       ///< counts malformed examples; null: a malformed example ends the
                                            ///< stream
  const std::atomic<bool>* stop = nullptr;  ///< set from outside to end the stream
};

}  // namespace askfew
