#include "askfew/workflows/labels.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <string_view>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew {
namespace {

/// "3,17", "0-9" and mixtures; a piece that is not a range of numbers is a name.
std::vector<std::string> split_labels(const std::string& text, std::string_view option) {
  std::vector<std::string> names;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string item = text.substr(from, comma - from);
    from = comma + 1;
    if (item.empty()) throw ConfigError(fmt::format("`{}` {} has an empty label", option, in_quotes(text)));
    if (!is_utf8(item)) throw ConfigError(fmt::format("`{}` {} is not UTF-8", option, in_quotes(text)));
    int low = 0;
    int high = 0;
    const char* end = item.data() + item.size();
    const auto [dash, first] = std::from_chars(item.data(), end, low);
    const bool is_range = first == std::errc{} && dash != end && *dash == '-' && [&] {
      const auto [past, second] = std::from_chars(dash + 1, end, high);
      return second == std::errc{} && past == end;
    }();
    if (!is_range) {
      names.push_back(item);
    } else if (low > high || std::int64_t{high} - low > 100'000) {
      throw ConfigError(fmt::format("`{}` '{}' is not a range from small to large", option, item));
    } else {
      for (int label = low; label <= high; ++label) names.push_back(std::to_string(label));
    }
  }
  return names;
}

LabelPlan::Kind kind_of(const LabelOptions& options) {
  return options.multiclass ? LabelPlan::Kind::one_of : LabelPlan::Kind::one_per_label;
}

}  // namespace

bool are_to_be_found(const LabelOptions& options) {
  return options.labels == "all" || options.topics > 0 || (options.multiclass && options.labels.empty());
}

LabelPlan named_labels(const LabelOptions& options) {
  const auto& [positive, negative, labels, topics, multiclass] = options;
  if (!negative.empty() && positive.empty()) throw ConfigError("`negative` goes with `positive`");
  if (!positive.empty() && !labels.empty()) throw ConfigError("`positive` and `labels` exclude each other");
  if (!positive.empty() && multiclass) throw ConfigError("`positive` and `multiclass` exclude each other");
  if (topics > 0 && (!positive.empty() || (!labels.empty() && labels != "all"))) {
    throw ConfigError("`topics` finds the labels itself: leave `positive` and `labels` out");
  }
  if (topics > 0 && multiclass) {
    throw ConfigError("`topics` and `multiclass` exclude each other: every example has one of the classes");
  }
  if (!positive.empty()) {
    return {.kind = LabelPlan::Kind::any_of,
            .names = split_labels(positive, "positive"),
            .negatives = negative.empty() ? std::vector<std::string>() : split_labels(negative, "negative")};
  }
  if (labels.empty() || are_to_be_found(options)) return {};
  return {.kind = kind_of(options), .names = split_labels(labels, "labels")};
}

LabelPlan found_labels(const LabelOptions& options, const Scan& scan, const Stream& stream) {
  // In the order of their numbers; or the most frequent first, and among equals the smaller number.
  std::vector<std::pair<Examples::LabelId, std::uint64_t>> counts(scan.labels.begin(), scan.labels.end());
  if (options.topics > 0) {
    std::stable_sort(counts.begin(), counts.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (counts.size() < options.topics) {
      throw ConfigError(fmt::format("{}: `topics` {}, and it has only {} labels: `labels` all takes them",
                                    stream.name(), options.topics, counts.size()));
    }
    counts.resize(options.topics);
  }
  LabelPlan plan{.kind = kind_of(options), .names = {}};
  for (const auto& [id, examples] : counts) plan.names.push_back(stream.label_name(id));
  return plan;
}

}  // namespace askfew
