#include "askfew/workflows/labels.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/streams/label_names.h"

namespace askfew {
namespace {

struct LabelRange {
  int low = 0;
  int high = 0;
};

/// "0-9"; nothing for a name.
std::optional<LabelRange> range_of(std::string_view item) {
  LabelRange range;
  const char* const end = item.data() + item.size();
  const auto [dash, first] = std::from_chars(item.data(), end, range.low);
  if (first != std::errc{} || dash == end || *dash != '-') return std::nullopt;
  const auto [past, second] = std::from_chars(dash + 1, end, range.high);
  if (second != std::errc{} || past != end) return std::nullopt;
  return range;
}

/// Takes a name in quotes from the beginning of the text; two quotes inside stand for one.
std::optional<std::string> take_quoted(std::string_view& text) {
  std::string name;
  for (std::size_t k = 1; k < text.size(); ++k) {
    if (text[k] != '"') {
      name += text[k];
    } else if (k + 1 < text.size() && text[k + 1] == '"') {
      name += text[k++];
    } else {
      text.remove_prefix(k + 1);
      return name;
    }
  }
  return std::nullopt;
}

bool has_space_at_an_end(std::string_view name) {
  return !name.empty() && (name.front() == ' ' || name.back() == ' ');
}

/// "3,17", "0-9", names in quotes and mixtures; a piece that is not a range of numbers is a name.
std::vector<std::string> split_labels(const std::string& text, std::string_view option) {
  const auto refuse = [&](std::string_view why) {
    throw ConfigError(fmt::format("`{}` {} {}", option, in_quotes(text), why));
  };
  std::vector<std::string> names;
  std::string_view rest = text;
  while (true) {
    std::optional<std::string> quoted;
    if (rest.starts_with('"')) {
      quoted = take_quoted(rest);
      if (!quoted || (!rest.empty() && rest[0] != ','))
        refuse(R"(has a quote that does not enclose a label, as in "Doe, Jane",other)");
    }
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string item = quoted ? *quoted : std::string(rest.substr(0, comma));
    if (item.empty()) refuse("has an empty label");
    if (!is_utf8(item)) refuse("is not UTF-8");
    if (!quoted && has_space_at_an_end(item))
      refuse(
          R"(has a label with a space at its beginning or end: leave it out, or quote the label, as in " a",b)");
    const std::optional<LabelRange> range = quoted ? std::nullopt : range_of(item);
    if (!range) {
      names.push_back(item);
    } else if (range->low > range->high || std::int64_t{range->high} - range->low > 100'000) {
      throw ConfigError(fmt::format("`{}` '{}' is not a range from small to large", option, item));
    } else {
      for (int label = range->low; label <= range->high; ++label) names.push_back(std::to_string(label));
    }
    if (comma == rest.size()) return names;
    rest.remove_prefix(comma + 1);
  }
}

LabelPlan::Kind kind_of(const LabelOptions& options) {
  return options.multiclass ? LabelPlan::Kind::one_of : LabelPlan::Kind::one_per_label;
}

/// Labels come again and again; numbers that were measured do not. THROWS: ConfigError.
void expect_repeated(const Scan& scan, const Stream& stream) {
  constexpr std::size_t few = 20;  // examples that show nothing
  const auto once = std::ranges::count_if(scan.labels, [](const auto& label) { return label.second == 1; });
  if (stream.facts().label_kind == LabelKind::topics || scan.examples < few ||
      2 * static_cast<std::uint64_t>(once) <= scan.examples)
    return;
  throw ConfigError(
      fmt::format("{}: {} of {} examples have a label of their own, such as {}: is that the "
                  "column of the labels? (see `label_column`)",
                  stream.name(), once, scan.examples, in_quotes(stream.label_name(scan.order.front()))));
}

}  // namespace

std::string joined_labels(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ',';
    const bool is_plain = name.find_first_of(",\"") == std::string::npos && !range_of(name) &&
                          name != "all" && !has_space_at_an_end(name);
    if (is_plain) {
      text += name;
      continue;
    }
    text += '"';
    for (const char c : name) text.append(c == '"' ? 2 : 1, c);
    text += '"';
  }
  return text;
}

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
  expect_repeated(scan, stream);
  // Numbers in their order, then names as they came first: the numbers that stand for names depend on the
  // threads. Or the most frequent first, and equally frequent ones in this order.
  std::vector<Examples::LabelId> labels = scan.order;
  const auto number = [](Examples::LabelId id) { return std::min(id, LabelNames::first); };
  std::ranges::stable_sort(labels, {}, number);
  if (options.topics > 0) {
    std::ranges::stable_sort(labels, std::greater(),
                             [&](Examples::LabelId id) { return scan.labels.at(id); });
    if (labels.size() < options.topics) {
      throw ConfigError(fmt::format("{}: `topics` {}, and it has only {} labels: `labels` all takes them",
                                    stream.name(), options.topics, labels.size()));
    }
    labels.resize(options.topics);
  }
  LabelPlan plan{.kind = kind_of(options), .names = {}};
  for (const Examples::LabelId id : labels) plan.names.push_back(stream.label_name(id));
  return plan;
}

}  // namespace askfew
