#define XXH_INLINE_ALL
#include "askfew/sessions/incoming.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <utility>
#include <xxhash.h>

#include "askfew/config/nearest_name.h"
#include "askfew/config/text.h"
#include "askfew/json/json_text.h"
#include "askfew/streams/formats/svmlight/svmlight.h"

namespace askfew {
namespace {

using Form = JsonRecord::Form;

FeatureView::Index index_dimension(const ModelConfig& config) {
  return config.dimension == 0 ? SvmlightFormat::max_features : config.dimension_of_data();
}

std::uint64_t hash_of(const void* bytes, std::size_t size, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, size, seed);
}

/// A hash of all features and of the words behind them.
std::uint64_t content_of(const Examples& example) {
  const FeatureView x = example.x(0);
  std::uint64_t hash = hash_of(x.values(), x.size() * sizeof(double), x.size());
  if (!x.is_dense()) hash = hash_of(x.indices(), x.size() * sizeof(FeatureView::Index), hash);
  const WordTable& words = example.words();
  for (WordTable::Number number = 0; number < words.size(); ++number)
    hash = hash_of(words[number].data(), words[number].size(), hash);
  return hash;
}

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

IncomingReader::IncomingReader(const ModelConfig& config)
    : config_(config),
      features_(config.features.text),
      known_names_(std::make_shared<LabelNames>()),
      names_(known_names_),
      labelling_(config.labels.labelling([&](std::string_view name) { return names_.id(name); })),
      reader_(index_dimension(config), names_, config.table),
      examples_({}, features_),
      labels_(labelling_.tasks()),
      are_names_words_(
          config.labels.kind == LabelPlan::Kind::any_of &&
          std::all_of(config.labels.names.begin(), config.labels.names.end(),
                      [&](const std::string& name) { return names_.id(name) >= LabelNames::first; })) {
  if (config.labels.has_topics()) {
    const std::vector<std::string>& topics =
        config.labels.all.empty() ? config.labels.names : config.labels.all;
    std::vector<Examples::LabelId> ids;
    for (const std::string& name : topics) ids.push_back(names_.id(name));
    labelling_.accept_only(ids, topics);
  }
  known_names_->close();
  if (!config.table.id_column.empty()) keys_.id = config.table.id_column;
  if (!config.table.text_columns.empty()) keys_.text = config.table.text_columns[0];
}

void IncomingReader::refuse(ParseError error, Incoming& out) {
  out.kind = Incoming::Kind::malformed;
  out.error = std::move(error);
  out.error.line = out.number;
}

void IncomingReader::begin(std::string_view line, std::uint64_t number, Incoming& out) {
  out.number = number;
  out.line = line;
  out.id.clear();
  out.id_token.clear();
  out.labels.clear();
  out.others = OtherTopics::not_told;
  out.note.clear();
  out.kind = Incoming::Kind::blank;
}

void IncomingReader::set_id(const JsonRecord::Id& id, Incoming& out) const {
  if (id.is_string) out.id += '"';  // "7" and 7 are different ids
  out.id += id.text;
  out.id_token = id.token;
}

void IncomingReader::read(std::string_view line, std::uint64_t number, Incoming& out) {
  begin(line, number, out);
  if (line.size() > longest_line)
    return refuse({.column = longest_line + 1, .why = "a line of more than 16 MiB"}, out);
  if (is_blank_line(line)) return;
  const auto record = reader_.read_any(line);
  if (const auto& id = reader_.last_id()) set_id(*id, out);
  if (!record) return refuse(record.error(), out);
  if ((*record)->form != Form::none) return read_instance(**record, out);
  if ((*record)->has_label) return read_label(**record, out);
  if ((*record)->wants_report) {
    out.kind = Incoming::Kind::report;
    return;
  }
  read_control(line, out);
}

void IncomingReader::read_control(std::string_view line, Incoming& out) {
  const auto control = read_control_line(line, padding);
  if (!control) return refuse(control.error(), out);
  if (const auto* settings = std::get_if<SettingsChange>(&*control)) {
    out.kind = Incoming::Kind::settings;
    out.settings = *settings;
  } else if (const auto* disputed = std::get_if<DisputedRequest>(&*control)) {
    out.kind = Incoming::Kind::disputed;
    out.disputed = *disputed;
  } else if (const auto* peek = std::get_if<PeekRequest>(&*control)) {
    read_peek(*peek, out);
  } else {
    out.kind = Incoming::Kind::pending;
    out.pending = std::get<PendingRequest>(*control);
  }
}

void IncomingReader::read_peek(const PeekRequest& request, Incoming& out) {
  out.own_line = request.line;
  out.line = std::string_view(out.own_line).substr(0, out.own_line.size() - padding);
  const auto record = reader_.read_any(out.line);
  if (const auto& id = reader_.last_id()) set_id(*id, out);
  if (!record) return refuse(record.error(), out);
  if ((*record)->form == Form::none || (*record)->has_label)
    return refuse({.column = 1, .why = "'peek' is an instance, without a label"}, out);
  const Fixed before = fixed_;
  read_instance(**record, out);
  fixed_ = before;
  if (out.kind == Incoming::Kind::instance) out.kind = Incoming::Kind::peek;
}

std::string IncomingReader::set_content(const Instance& instance) {
  const auto are_finite = [](std::span<const double> values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
  };
  constexpr const char* not_finite = "a number of the instance is not finite";
  record_ = {};
  if (const auto* text = std::get_if<Instance::Text>(&instance.content)) {
    if (config_.table.text_columns.size() > 1)
      return "an instance of this session has several texts: it comes as a line";
    if (!is_utf8(*text)) return "the text is not UTF-8";
    record_.form = Form::words;
    record_.texts.push_back({.field = "", .text = *text});
  } else if (const auto* dense = std::get_if<Instance::Dense>(&instance.content)) {
    if (dense->empty()) return "an instance without numbers";
    if (!are_finite(*dense)) return not_finite;
    record_.form = Form::numbers;
    record_.numbers.assign(dense->begin(), dense->end());
  } else {
    const auto& sparse = std::get<Instance::Sparse>(instance.content);
    if (sparse.indices.size() != sparse.values.size()) return "as many indices as values are needed";
    if (!are_finite(sparse.values)) return not_finite;
    record_.form = Form::indices;
    const FeatureView::Index dimension = index_dimension(config_);
    for (std::size_t k = 0; k < sparse.indices.size(); ++k) {
      if (sparse.indices[k] >= dimension)
        return fmt::format("index {} is out of range, accepted: 0 to {}", sparse.indices[k], dimension - 1);
      if (sparse.values[k] != 0) record_.indexed.push_back({sparse.indices[k], sparse.values[k]});
    }
  }
  return "";
}

void IncomingReader::read(const Instance& instance, std::uint64_t number, Incoming& out) {
  begin({}, number, out);
  const auto* name = std::get_if<std::string_view>(&instance.id);
  const bool is_text = name == nullptr || is_utf8(*name);
  std::string why = is_text ? set_content(instance) : "the id is not UTF-8";
  if (!why.empty()) return refuse({.column = 1, .why = std::move(why)}, out);
  out.own_line.clear();
  append_line(instance, keys_, out.own_line);
  const std::size_t size = out.own_line.size();
  out.own_line.append(padding, ' ');
  out.line = std::string_view(out.own_line).substr(0, size);
  if (size > longest_line)
    return refuse({.column = longest_line + 1, .why = "a line of more than 16 MiB"}, out);
  const std::string token = json_text(nlohmann::json(
      name != nullptr ? nlohmann::json(*name) : nlohmann::json(std::get<std::int64_t>(instance.id))));
  record_.id = {.token = token, .text = name != nullptr ? *name : token, .is_string = name != nullptr};
  set_id(*record_.id, out);
  read_instance(record_, out);
}

/// The fault of instances with this shape, or an empty text.
std::string IncomingReader::refusal_of(const JsonShape& shape) const {
  if (config_.dimension == 0) return "";
  const std::size_t room = config_.dimension_of_data();
  const std::size_t needed = shape.form == Form::numbers ? shape.numbers
                             : shape.form == Form::words ? features_.dimension()
                                                         : 0;
  if (needed <= room) return "";
  return fmt::format("an instance of {} features, more than the dimension {}", needed, room);
}

void IncomingReader::read_instance(const JsonRecord& record, Incoming& out) {
  const auto wrong = [&](std::string why) { refuse({.column = 1, .why = std::move(why)}, out); };
  if (!record.id) return wrong("an instance needs an \"id\": its label comes back under it");
  const bool is_labelled = !record.labels.empty() || record.label_kind == LabelKind::topics;
  if (is_labelled && !takes_labelled_)
    return wrong("an instance with a label: labels come later, in a line of their own");
  const JsonShape shape = fixed_.shape ? *fixed_.shape : JsonShape::of(record);
  if (!fixed_.shape) {
    if (std::string why = refusal_of(shape); !why.empty())
      return refuse({.column = record.column, .why = std::move(why)}, out);
  }
  examples_.set_shape(shape);
  out.example.clear();
  out.example.set_bias(config_.features.bias);
  out.example.begin(out.number);
  if (auto added = examples_.add(record, out.example); !added) {
    out.example.abandon();
    return refuse(added.error(), out);
  }
  out.content = content_of(out.example);
  if (config_.features.normalize && !config_.features.need_state()) out.example.normalize(0);
  out.kind = Incoming::Kind::instance;
  if (is_labelled) {
    read_label(record, out);
    if (out.kind == Incoming::Kind::malformed) return;
    const bool says_nothing =
        out.others == OtherTopics::not_told &&
        std::ranges::none_of(out.labels, [](const GivenLabel& given) { return given.label.has_value(); });
    out.kind = says_nothing ? Incoming::Kind::instance : Incoming::Kind::labelled;
  }
  fixed_.shape = shape;
}

std::string IncomingReader::close_labels(std::string_view name, Incoming& out) {
  std::vector<std::string> known = config_.labels.names;
  if (fixed_.negative == name) return "";
  if (!fixed_.negative.empty()) known.push_back(fixed_.negative);
  const std::string nearest = nearest_name(name, known);
  std::string list;
  for (const std::string& label : known) list += (list.empty() ? "" : ", ") + in_quotes(label);
  if (!fixed_.negative.empty() || !nearest.empty()) {
    return fmt::format("label {} is not one of {}", in_quotes(name), list) +
           (nearest.empty() ? "; `negative` names all negative labels at the start"
                            : fmt::format(": did you mean {}?", in_quotes(nearest)));
  }
  fixed_.negative = name;
  out.note = fmt::format("the labels are now {} and {}: any other one is refused", list, in_quotes(name));
  return "";
}

void IncomingReader::read_label(const JsonRecord& record, Incoming& out) {
  const auto wrong = [&](std::string why) { refuse({.column = 1, .why = std::move(why)}, out); };
  if (!record.id) return wrong("a label needs the \"id\" of its instance");
  out.kind = Incoming::Kind::label;
  if (config_.labels.has_topics()) return read_topics(record, out);
  if (record.are_told_apart)
    return wrong(
        "labels as {\"topic\": true} are for a session of topics, and this session has one label an "
        "instance");
  const bool declines = record.labels.empty() && record.label_kind != LabelKind::topics;
  if (declines) {
    out.labels.push_back({});
    return;
  }
  if (are_names_words_ && std::any_of(record.labels.begin(), record.labels.end(),
                                      [](Examples::LabelId id) { return id >= -1 && id <= 1; })) {
    return wrong("expected the name of a label: -1, 0, 1, true and false are none beside the label " +
                 config_.labels.task_names()[0]);
  }
  const bool are_numbers = config_.labels.kind == LabelPlan::Kind::plain;
  if (are_numbers && record.labels.size() == 1 && record.labels[0] >= LabelNames::first) {
    return wrong(
        fmt::format("label {} is not -1, 0 or +1, and the session was begun without other names: "
                    "give them at its beginning",
                    in_quotes(record.label_text)));
  }
  if (labelling_.stranger(record.labels) != nullptr) return wrong(labelling_.refusal_of(record.label_text));
  if (auto assigned = labelling_.assign(record.labels, labels_); !assigned) return wrong(assigned.error());
  const auto found = std::find(labels_.begin(), labels_.end(), Label::positive) - labels_.begin();
  if (config_.labels.closes && found != 0) {
    if (std::string why = close_labels(record.label_text, out); !why.empty()) return wrong(std::move(why));
  }
  const bool is_class = config_.labels.kind == LabelPlan::Kind::one_of;
  out.labels.push_back({.label = static_cast<LabelNumber>(is_class ? found : (found == 0 ? 1 : 0))});
}

void IncomingReader::read_topics(const JsonRecord& record, Incoming& out) {
  const auto wrong = [&](std::string why) { refuse({.column = 1, .why = std::move(why)}, out); };
  if (record.label_kind != LabelKind::topics) {
    if (!record.labels.empty()) {
      return wrong(
          "this session has topics: expected \"labels\", as [\"a\", \"b\"] (all others are not) or {\"a\": "
          "true, "
          "\"b\": false}");
    }
    out.others = OtherTopics::declined;  // null
    return;
  }
  if (labelling_.stranger(record.labels) != nullptr) return wrong(refusal_of_stranger(out));
  if (record.are_told_apart && record.labels.empty()) return wrong("\"labels\" names no topic");
  for (std::size_t k = 0; k < record.labels.size(); ++k) {
    const auto task = labelling_.task_of(record.labels[k]);
    if (!task) continue;  // a topic of another shard
    GivenLabel given{.task = static_cast<std::uint32_t>(*task), .label = 1};
    if (record.are_told_apart && record.told[k] == JsonRecord::Told::no) given.label = 0;
    if (record.are_told_apart && record.told[k] == JsonRecord::Told::nothing) given.label.reset();
    out.labels.push_back(given);
  }
  std::ranges::sort(out.labels, {}, &GivenLabel::task);
  if (!record.are_told_apart) out.others = OtherTopics::negative;
}

std::string IncomingReader::refusal_of_stranger(const Incoming& incoming) const {
  const auto line = try_parse_json(incoming.line);
  const std::string key = config_.table.label_column.empty() ? "labels" : config_.table.label_column;
  const auto named = line.is_object() ? line.value(key, nlohmann::json()) : nlohmann::json();
  for (const auto& [index, value] : named.items()) {
    const std::string name = named.is_object()   ? index
                             : value.is_string() ? value.get<std::string>()
                                                 : json_text(value);
    const Examples::LabelId id = names_.id(name);
    if (labelling_.stranger({&id, 1}) != nullptr) return labelling_.refusal_of(name);
  }
  return "a label that no topic has";
}

}  // namespace askfew
