#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/models/labelling.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// The tasks that a stream's labels define, by name: a Labelling before the stream is known, as stored in
/// models.
struct LabelPlan {
  enum class Kind : std::uint8_t {
    plain,          ///< one task with labels -1 and +1
    one_two,        ///< one task with labels 1 and 2
    any_of,         ///< one task: positive for any of the names
    one_per_label,  ///< one task per name
    one_of          ///< one task with classes: every example has exactly one of the names
  };
  Kind kind = Kind::plain;
  std::vector<std::string> names;
  /// For any_of: the labels that are negative; any other label is an error. Empty: all labels are accepted,
  /// unless the set closes.
  std::vector<std::string> negatives{};
  /// For any_of in a session, without `negatives`: the first label that is not positive is the negative one,
  /// and any other label after it is an error.
  bool closes = false;
  /// For one_per_label: how many topics come before these, if the model has a shard of all topics. Coins are
  /// keyed by the number of a topic among all, so that shards together decide as one model.
  std::uint64_t first = 0;
  /// For a shard in a session: all topics in their order, those of the other shards, too. A line may have
  /// labels for all of them. Empty: not a shard, or the other topics are not known.
  std::vector<std::string> all{};

  /// Does an instance have a label of its own for each name?
  [[nodiscard]] bool has_topics() const { return kind == Kind::one_per_label; }
  [[nodiscard]] bool is_shard() const { return first != 0 || !all.empty(); }
  [[nodiscard]] std::vector<std::string> task_names() const;
  /// The name of a label of a binary task, for people: 1 is positive.
  [[nodiscard]] std::string name_of(bool positive) const;
  /// THROWS: ConfigError for a name that the stream cannot have, or for names that it does not need.
  [[nodiscard]] Labelling labelling(Stream& stream) const;
  /// The same with only the numbers of the names, from `id_of`.
  [[nodiscard]] Labelling labelling(const std::function<Examples::LabelId(std::string_view)>& id_of) const;

  bool operator==(const LabelPlan&) const = default;
};

}  // namespace askfew
