#include "askfew/workflows/label.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "askfew/config/csv_field.h"
#include "askfew/config/names.h"
#include "askfew/config/text.h"
#include "askfew/core/shuffled.h"
#include "askfew/json/json_text.h"
#include "askfew/sessions/held_answers.h"
#include "askfew/system/atomic_file.h"
#include "askfew/trials/dataset.h"
#include "askfew/workflows/labels.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr std::uint64_t max_passes = 20;
constexpr const char* needs_all_labels =
    "a person needs the names of all labels: give two or more with `labels`, or `positive` and `negative`";

/// Sends a line to a session as a stream does, and returns the answer.
json send_line(Recorder& recorder, const EvenClock& clock, const json& line) {
  std::string text = json_text(line);
  const std::size_t size = text.size();
  text.append(IncomingReader::padding, ' ');
  const std::string_view view = std::string_view(text).substr(0, size);
  std::string answers;
  recorder.answer(std::span(&view, 1), clock.now(), answers);
  // Changes that were noticed may follow in lines of their own.
  return parse_json(answers.substr(0, answers.find('\n')));
}

std::vector<std::string> names_of(const LabelPlan& plan) {
  std::vector<std::string> names = plan.names;
  names.insert(names.end(), plan.negatives.begin(), plan.negatives.end());
  if (names.size() < 2) throw ConfigError(needs_all_labels);
  return names;
}

/// The texts whose labels may be asked.
std::vector<PoolItem> unlabelled_of(const LabelPoolOptions& options) {
  std::vector<PoolItem> items = read_pool(options.pool, options.table);
  std::erase_if(items, [](const PoolItem& item) { return item.label.has_value(); });
  if (!items.empty()) return items;
  throw DataError({.why = "every text has a label: askfew run learns from them; `label_column` names another "
                          "column of labels",
                   .file = options.pool});
}

/// The answers that a file has already. THROWS: DataError if the file is about something else.
std::vector<PoolItem> earlier_answers(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return {};
  try {
    return read_answers(path, {.label_column = "label", .id_column = "id"});
  } catch (const ConfigError&) {
    throw DataError(
        {.why = "it is there already, and it is not a table of answers with the columns id and label: "
                "write to another file",
         .file = path});
  }
}

/// An id without a name of its own is the place of its text, which moves if texts are put before it. THROWS:
/// DataError if the answers are to other texts.
void expect_answered_texts(const LabelPoolOptions& options, std::span<const PoolItem> pool,
                           std::span<const PoolItem> earlier) {
  std::map<std::string_view, std::string_view> texts;
  for (const PoolItem& item : pool) texts[item.id] = item.text;
  for (const PoolItem& item : earlier) {
    const auto now = texts.find(item.id);
    const bool has_text = item.text != item.id;  // a table of ids and labels has no other text
    if (now == texts.end() || !has_text || now->second == item.text) continue;
    throw DataError({.why = fmt::format(
                         "the text of {} is {}, and {} has an answer to {}: add new texts at the end, or "
                         "give the texts a column of ids",
                         in_quotes(item.id), in_quotes(now->second), options.answers, in_quotes(item.text)),
                     .file = options.pool});
  }
}

/// The files with labels that are there already.
std::vector<std::string> seed_files_of(const LabelPoolOptions& options, std::size_t unlabelled) {
  std::vector<std::string> paths;
  const std::string& path = options.session.model.seed_labels;
  if (!path.empty()) paths.push_back(path);
  if (read_pool(options.pool, options.table).size() > unlabelled) paths.push_back(options.pool);
  return paths;
}

SessionOptions session_of(const LabelPoolOptions& options, std::size_t pool) {
  SessionOptions session = options.session;
  // Refused settings leave no ledger behind.
  if (are_to_be_found(session.model.labels) ||
      (session.model.labels.labels.empty() &&
       (session.model.labels.positive.empty() || session.model.labels.negative.empty()))) {
    throw ConfigError(needs_all_labels);
  }
  // Every text may come again after an interruption.
  session.keep = std::max<std::uint64_t>(session.keep, max_passes * pool);
  session.guesses = {"keep"};  // texts may be added to the pool
  SamplerOptions& sampler = session.model.sampler;
  if (sampler.budget.empty()) sampler.budget = "200";
  if (parse_budget(sampler.budget).kind == LabelBudget::Kind::period) {
    throw ConfigError(fmt::format(
        "budget {} is for texts that arrive over time, and a pool has no times: give a number of labels, "
        "e.g. 200, or a share of the texts, e.g. 5%",
        in_quotes(sampler.budget)));
  }
  if (sampler.horizon == 0) {
    sampler.horizon = pool;
    session.guesses.emplace_back("horizon");
  }
  const LabelOptions& labels = session.model.labels;
  const bool has_classes = named_labels(labels).names.size() > 2 && !labels.labels.empty();
  if (has_classes) session.model.labels.multiclass = true;
  session.seed_texts = seed_files_of(options, pool);
  session.seed_table = options.table;
  return session;
}

std::vector<PoolItem> pool_of(const LabelPoolOptions& options, std::span<const PoolItem> earlier) {
  for (const std::string& path : {options.answers, options.questions}) {
    if (!path.empty() && path != "-") expect_writable(path);  // before a person answers
  }
  std::vector<PoolItem> pool = unlabelled_of(options);
  expect_answered_texts(options, pool, earlier);
  static_cast<void>(earlier_answers(options.questions));  // refuses a file of something else now
  return pool;
}

std::string id_of(const PoolItem& item, std::uint64_t pass) {
  return pass == 1 ? item.id : fmt::format("{} (pass {})", item.id, pass);
}

}  // namespace

Labeller::Labeller(const LabelPoolOptions& options) : Labeller(options, earlier_answers(options.answers)) {}

Labeller::Labeller(const LabelPoolOptions& options, const std::vector<PoolItem>& earlier)
    : options_(options),
      pool_(pool_of(options, earlier)),
      order_(shuffled(pool_.size(), options.session.model.seed, 0)),
      live_(open_session(session_of(options, pool_.size()))) {
  labels_ = names_of(live_.session->model().config.labels);
  static_cast<void>(live_.set_clock(clock_.now()));
  recorder_ = std::make_unique<Recorder>(live_, false);
  for (const PoolItem& item : earlier) {
    const std::string label = item.label.value_or("");
    if (!label.empty() && std::ranges::find(labels_, label) == labels_.end()) {
      throw DataError({.why = fmt::format("label {} of {}: {}", in_quotes(label), in_quotes(item.id),
                                          did_you_mean(label, labels_)),
                       .file = options_.answers});
    }
    given_[item.id] = label;
    given_order_.push_back(item.id);
  }
  expect_told();
}

json Labeller::send(const json& line) {
  return send_line(*recorder_, clock_, line);
}

std::optional<std::uint64_t> Labeller::allowed() const {
  const LabelBudget& budget = model().config.sampler.spending.budget;
  const bool is_share = budget.kind == LabelBudget::Kind::share;
  if (!is_share && budget.kind != LabelBudget::Kind::count) return std::nullopt;
  // Each pass has rounds of its own, but a share is one of the texts.
  const double labels =
      is_share ? labels_in(budget.amount, static_cast<double>(pool_.size())) : budget.amount;
  return static_cast<std::uint64_t>(labels);
}

bool Labeller::is_spent() const {
  const auto most = allowed();
  return most && model().tally(0).asked >= *most;
}

bool Labeller::was_asked_before(const PoolItem& item) const {
  for (std::uint64_t pass = 1; pass < pass_; ++pass) {
    const Question* question = live_.session->find('"' + id_of(item, pass));
    if (question != nullptr && question->was_asked()) return true;
  }
  return false;
}

std::optional<LabelQuestion> Labeller::look_at(std::size_t place) {
  const PoolItem& item = pool_[order_[place]];
  const auto given = given_.find(item.id);
  // An answered text comes again only to go on after an interruption, where its first pass is repeated.
  if (given != given_.end() && pass_ > 1) return std::nullopt;
  // A question of an earlier pass waits for the answers of a file, or has one.
  if (options_.answers.empty() && was_asked_before(item)) return std::nullopt;
  const std::string id = id_of(item, pass_);
  const json answer = send({{"id", id}, {"text", item.text}});
  if (answer.contains("error"))
    throw DataError({.why = answer["error"].get<std::string>(), .file = options_.pool});
  if (!answer["ask"].get<bool>()) return std::nullopt;
  // Questions that wait for the answers of a file are not put again.
  if (options_.answers.empty() && answer.contains("repeated")) return std::nullopt;
  const bool was_positive = answer["prediction"].is_number() && answer["prediction"].get<int>() == 1;
  LabelQuestion question{.item = {.id = id, .text = item.text, .label = {}},
                         .prediction = answer["prediction"].is_string()
                                           ? answer["prediction"].get<std::string>()
                                           : labels_[was_positive ? 0 : 1],
                         .why = answer["why"].get<std::string>()};
  if (given == given_.end()) return question;
  const json label = given->second.empty() ? json() : json(given->second);
  static_cast<void>(send({{"id", id}, {"label", label}}));
  return std::nullopt;
}

std::optional<LabelQuestion> Labeller::next() {
  if (question_) return question_;
  if (!again_.empty()) {
    question_ = std::move(again_.back());
    again_.pop_back();
    return question_;
  }
  while (!question_) {
    if (place_ == order_.size()) {
      if (pass_ == max_passes || is_spent()) return std::nullopt;
      ++pass_;
      place_ = 0;
    }
    // What was asked before an interruption is asked again, also after the last label of the budget.
    const std::uint64_t rounds = (pass_ - 1) * order_.size() + place_;
    if (is_spent() && rounds >= model().tally(0).round) return std::nullopt;
    question_ = look_at(place_++);
  }
  return question_;
}

void Labeller::learn(const Held& held) {
  const json label = held.label ? json(*held.label) : json();
  const json answer = send({{"id", held.question.item.id}, {"label", label}});
  if (answer.contains("error")) {
    throw DataError({.why = answer["error"].get<std::string>(), .file = held.question.item.id});
  }
}

void Labeller::hold(std::optional<std::string> label) {
  const std::string id = question_->item.id;
  const std::string plain = id.substr(0, id.find(" (pass "));
  if (!given_.contains(plain)) given_order_.push_back(plain);
  given_[plain] = label.value_or("");
  held_.push_back({*std::move(question_), std::move(label)});
  question_.reset();
  write_answers();
  learn_until(max_held_answers(given_.size()));
}

void Labeller::answer(const std::string& label) {
  hold(label);
}

void Labeller::skip() {
  hold(std::nullopt);
}

void Labeller::expect_told() const {
  const std::string& path = options_.questions;
  for (const PoolItem& item : earlier_answers(path)) {
    const Question* question = live_.session->find('"' + item.id);
    if (!item.label || question == nullptr || !question->waits()) continue;
    throw ConfigError(
        fmt::format("{} has an answer to {} that the ledger does not know: askfew tell {} {} learns it; "
                    "or write the questions to another file",
                    path, in_quotes(item.id), options_.session.ledger.name(), path));
  }
}

void Labeller::leave() {
  question_.reset();
}

bool Labeller::undo() {
  if (held_.empty()) return false;
  if (question_) again_.push_back(*std::move(question_));
  const std::string id = held_.back().question.item.id;
  const std::string plain = id.substr(0, id.find(" (pass "));
  given_.erase(plain);
  std::erase(given_order_, plain);
  question_ = std::move(held_.back().question);
  held_.pop_back();
  write_answers();
  return true;
}

void Labeller::learn_until(std::size_t rest) {
  for (; held_.size() > rest; held_.pop_front()) learn(held_.front());
}

void Labeller::finish() {
  learn_until(0);
  if (!recorder_->end()) throw FileError(options_.session.ledger.name() + ": cannot be written");
}

void Labeller::write_answers() const {
  if (options_.answers.empty()) return;
  std::map<std::string_view, const PoolItem*> items;
  for (const PoolItem& item : pool_) items[item.id] = &item;
  AtomicFile file(options_.answers);
  file.stream() << "id,text,label\n";
  for (const std::string& id : given_order_) {
    const auto item = items.find(id);
    const std::string text = item == items.end() ? "" : item->second->text;
    file.stream() << csv_field(id) << ',' << csv_field(text) << ',' << csv_field(given_.at(id)) << '\n';
  }
  file.commit();
}

LabelStatus Labeller::status() {
  LabelStatus status{.seeds = model().config.seeds.count,
                     .held = held_.size(),
                     .passed = std::min<std::uint64_t>(model().tally(0).round, pool_.size()),
                     .pool = pool_.size(),
                     .allowed = allowed(),
                     .is_spent = is_spent(),
                     .labels = {},
                     .estimated_f = {}};
  for (const std::string& label : labels_) status.labels[label] = 0;
  for (const auto& [id, label] : given_) {
    ++(label.empty() ? status.skipped : status.answered);
    if (!label.empty()) ++status.labels[label];
  }
  const json report = send({{"report", true}}).at("report");
  if (report.contains("estimate")) {
    const json& whole = report["estimate"]["whole"];
    if (whole.contains("f1") && whole["f1"].contains("value") && whole["f1"]["value"].is_number()) {
      status.estimated_f = whole["f1"]["value"].get<double>();
    }
  }
  return status;
}

namespace {

/// The id of a row as the session knows it: a table does not tell the number 7 from the text "7".
json known_id(const Session& session, const std::string& id) {
  if (session.find('"' + id) != nullptr) return id;
  const json number = try_parse_json(id);
  const bool is_known = number.is_number() && json_text(number) == id && session.find(id) != nullptr;
  return is_known ? number : json(id);
}

}  // namespace

TellResult tell(const TellOptions& options) {
  if (options.ledger.find_for_writing() == nullptr)
    throw FileError(fmt::format("{}: no such ledger", options.ledger.name()));
  TellResult result;
  result.live = open_session(
      {.ledger = options.ledger, .mismatch = SettingsMismatch::is_ignored, .max_memory = options.max_memory});
  const EvenClock clock;
  static_cast<void>(result.live.set_clock(clock.now()));
  Recorder recorder(result.live, false);
  TableOptions told = options.table;
  if (told.label_column.empty()) told.label_column = "label";
  if (told.id_column.empty()) told.id_column = "id";
  const std::vector<PoolItem> answers = read_answers(options.answers, told);
  if (answers.empty()) throw DataError({.why = "no answer in it", .file = options.answers});
  for (const PoolItem& item : answers) {
    if (!item.label) {
      ++result.without_label;
      continue;
    }
    const json id = known_id(*result.live.session, item.id);
    const json answer = send_line(recorder, clock, {{"id", id}, {"label", *item.label}});
    if (answer.contains("outcome")) ++result.outcomes[answer["outcome"].get<std::string>()];
    if (!answer.contains("error")) continue;
    ++result.refusals;
    constexpr std::size_t few = 5;
    if (result.refused.size() < few) {
      result.refused.push_back(fmt::format("{}: {}", item.id, answer["error"].get<std::string>()));
    }
  }
  if (!recorder.end()) throw FileError(options.ledger.name() + ": cannot be written");
  return result;
}

}  // namespace askfew
