#include "askfew/service/project.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "askfew/json/json_text.h"
#include "askfew/sessions/answers.h"
#include "askfew/sessions/columns.h"
#include "askfew/spending/spending_plan.h"

namespace askfew {
namespace {

using nlohmann::json;

SessionOptions session_options_of(const ProjectOptions& options) {
  SessionOptions session = session_options_of(options.settings);
  session.ledger = options.ledger;
  session.max_memory = options.max_memory;
  session.mismatch = SettingsMismatch::is_ignored;  // the ledger decides
  return session;
}

std::vector<std::string> labels_of(const LabelPlan& plan) {
  std::vector<std::string> names = plan.names;
  names.insert(names.end(), plan.negatives.begin(), plan.negatives.end());
  return names;
}

/// A range as "0-9" would become many labels.
void expect_labels(const LabelPlan& plan, const std::vector<std::string>& labels) {
  if (labels_of(plan) != labels)
    throw ConfigError("a label looks like a range of numbers: give it another name");
}

/// Each topic has a plan of its own, unless topics are asked together.
double plans_of(const Model& model) {
  return static_cast<double>(model.decisions != nullptr ? 1 : model.tasks.size());
}

}  // namespace

Project::Project(const ProjectOptions& options)
    : options_(options),
      observer_{
          .line =
              [this](const Session& session, const Replayed& line) {
                if (!kept_.empty() && line.incoming.line == kept_.front()) forget_kept(line.incoming.id);
                see_settings(line);
                desk_.see_line(session, line);
                history_.add(session);
                period_spending_.add(session);
              },
          .event =
              [this](const LedgerEvent& event) {
                if (const auto* kept = std::get_if<InstanceKept>(&event)) kept_.push_back(kept->line);
                desk_.see_event(event);
              },
          .beside = {.name = "project",
                     .save = [this](Snapshot& to) { save_columns(std::string(beside_part_name), *this, to); },
                     .load =
                         [this](const Snapshot& from) {
                           load_columns(std::string(beside_part_name), from, *this);
                         }}},
      live_(open_session(session_options_of(options), observer_)) {
  expect_labels(live_.session->model().config.labels, options_.settings.labels);
  static_cast<void>(live_.set_clock(clock_.now()));
  recorder_ = std::make_unique<Recorder>(live_, false);
  recorder_->show_lines_to(observer_);
  recorder_->leave_commits_to_caller();
}

Project::~Project() = default;

void Project::set_settings(const ProjectSettings& settings) {
  options_.settings.name = settings.name;
  options_.settings.question = settings.question;
  options_.settings.archived = settings.archived;
}

void Project::change_settings(const std::string& person, const json& changes) {
  const json answer = parse_json(take_line(json_text(json{{"settings", changes}, {"by", person}})));
  if (answer.contains("error")) throw ConfigError(answer["error"].get<std::string>());
}

void Project::see_settings(const Replayed& line) {
  if (!std::holds_alternative<SettingsReceipt>(line.outcome)) return;
  json changes = parse_json(line.incoming.line)["settings"];
  for (const char* amount : {"budget", "audit", "expire"}) {
    if (changes.contains(amount) && changes[amount].is_null()) changes[amount] = "";
  }
  read_settings(changes, options_.settings);
}

std::string Project::live_settings() const {
  const json all = json_of(options_.settings);
  json live = json::object();
  for (const auto& [key, value] : all.items()) {
    if (is_live_setting(key)) live[key] = value;
  }
  return json_text(live);
}

void Project::set_live_settings(const std::string& settings) {
  try {
    read_settings(parse_json(settings), options_.settings);
  } catch (const json::exception& error) {
    throw ModelError(error.what());
  } catch (const ConfigError& error) {
    throw ModelError(error.what());
  }
}

bool Project::is_asked(const std::string& person) const {
  const std::vector<std::string>& people = options_.settings.annotators;
  return people.empty() || std::ranges::find(people, person) != people.end();
}

void Project::take_lines(std::span<const std::string_view> lines, std::string& answers) {
  is_dirty_ = true;
  recorder_->answer(lines, clock_.now(), answers);
}

void Project::for_each_instance(std::span<const std::string_view> lines, std::string& answers,
                                const std::function<void(std::string_view line)>& act) {
  IncomingReader& reader = live_.session->reader();
  const IncomingReader::Fixed fixed = reader.fixed();
  std::uint64_t number = 0;
  for (const std::string_view line : lines) {
    reader.read(line, ++number, incoming_);
    if (incoming_.kind == Incoming::Kind::malformed) {
      append_error(incoming_, answers);
    } else if (incoming_.kind != Incoming::Kind::instance) {
      append_error(incoming_, "expected an instance", answers);
    } else {
      act(line);
    }
  }
  reader.set_fixed(fixed);
}

void Project::find_kept_contents() {
  if (knows_kept_contents_) return;
  knows_kept_contents_ = true;
  std::string errors;
  for (std::string line : kept_) {
    const std::size_t size = line.size();
    line.append(IncomingReader::padding, ' ');
    const std::string_view view = std::string_view(line).substr(0, size);
    for_each_instance(std::span(&view, 1), errors,
                      [&](std::string_view) { kept_contents_[incoming_.id] = incoming_.content; });
  }
}

void Project::forget_kept(const std::string& id) {
  kept_.pop_front();
  kept_contents_.erase(id);
}

void Project::keep_lines(std::span<const std::string_view> lines, std::string& answers) {
  find_kept_contents();
  for_each_instance(lines, answers, [&](std::string_view line) {
    const auto found = kept_contents_.find(incoming_.id);
    if (found != kept_contents_.end() && found->second != incoming_.content) {
      append_error(incoming_, "another instance with this id waits in the pool", answers);
    } else if (found != kept_contents_.end() || record(InstanceKept{.line = std::string(line)})) {
      kept_contents_[incoming_.id] = incoming_.content;
      answers += fmt::format("{{\"id\":{},\"kept\":true}}\n", incoming_.id_token);
    } else {
      append_error(incoming_, "the ledger cannot be written: " + live_.ledger->why(), answers);
    }
  });
}

void Project::predict(std::span<const std::string_view> lines, std::string& answers) {
  for_each_instance(lines, answers, [&](std::string_view /*line*/) {
    try {
      append_prediction(incoming_, live_.session->peek(incoming_), live_.session->model().config.labels,
                        answers);
    } catch (const DataError& error) {
      append_error(incoming_, error.what(), answers);
    } catch (const NumericError& error) {
      append_error(incoming_, error.what(), answers);
    }
  });
}

NextQuestions Project::next(const std::string& person, std::size_t n, std::size_t enough) {
  const std::int64_t now = clock_.now();
  live_.session->advance_to(now + live_.clock_shift);
  NextQuestions next{.until = now + options_.lease};
  if (options_.settings.archived || !is_asked(person)) {
    next.nothing = options_.settings.archived ? NoQuestion::finished : NoQuestion::not_asked;
    return next;
  }
  next.questions = desk_.lease(*live_.session, person, n, now, next.until);
  constexpr int most = 20'000;  // instances: a request does not wait for a whole pool
  for (int taken = 0; next.questions.size() < std::min(n, enough) && !kept_.empty() && taken < most;
       ++taken) {
    const std::uint64_t waiting = live_.session->counts().waiting;
    take_kept();
    if (live_.session->counts().waiting > waiting)
      next.questions = desk_.lease(*live_.session, person, n, now, next.until);
  }
  if (next.questions.empty()) next.nothing = why_nothing(person);
  return next;
}

void Project::take_kept() {
  const std::string line = kept_.front();
  static_cast<void>(take_line(line));
  // A line that the session does not take is left out.
  if (kept_.empty() || kept_.front() != line) return;
  kept_.pop_front();
  kept_contents_.clear();
  knows_kept_contents_ = false;
}

std::string Project::take_line(std::string line) {
  const std::size_t size = line.size();
  line.append(IncomingReader::padding, ' ');
  const std::string_view view = std::string_view(line).substr(0, size);
  std::string answers;
  take_lines(std::span(&view, 1), answers);
  return answers;
}

NoQuestion Project::why_nothing(const std::string& person) const {
  if (desk_.leased_to_others(person, clock_.now()) > 0) return NoQuestion::leased_to_others;
  return left_in_budget() == 0 ? NoQuestion::budget_spent : NoQuestion::waiting_for_stream;
}

std::optional<BudgetState> Project::budget() const {
  const Model& model = live_.session->model();
  const Tally tally = live_.session->tally();
  const LabelBudget& budget = model.config.sampler.spending.budget;
  const double amount = plans_of(model) * budget.amount;
  switch (budget.kind) {
    case LabelBudget::Kind::none:
      return std::nullopt;
    case LabelBudget::Kind::share: {
      const auto rounds = static_cast<double>(std::max(tally.round, budget.horizon));
      return BudgetState{.labels = labels_in(amount, rounds), .spent = tally.asked};
    }
    case LabelBudget::Kind::count:
      return BudgetState{.labels = amount, .spent = tally.asked, .is_fixed = true};
    case LabelBudget::Kind::period:
      break;
  }
  const std::int64_t now = std::max(live_.session->time(), clock_.now() + live_.clock_shift);
  return BudgetState{
      .labels = amount, .spent = period_spending_.spent(*live_.session, now), .is_fixed = true};
}

std::optional<std::uint64_t> Project::left_in_budget() const {
  const std::optional<BudgetState> state = budget();
  return state && state->is_fixed ? std::optional(state->left()) : std::nullopt;
}

std::optional<double> Project::planned_by(std::uint64_t round) const {
  const Model& model = live_.session->model();
  const Spending& spending = model.config.sampler.spending;
  if (spending.budget.kind == LabelBudget::Kind::none) return std::nullopt;
  const std::optional<double> planned = SpendingPlan(spending.budget, spending.audit).planned_by(round);
  return planned ? std::optional(plans_of(model) * *planned) : std::nullopt;
}

std::optional<double> Project::planned_by_now() const {
  return planned_by(live_.session->tally().round);
}

std::vector<PlannedLabels> Project::plan_curve() const {
  constexpr std::uint64_t points = 40;
  const std::uint64_t horizon = live_.session->model().config.sampler.spending.budget.horizon;
  std::vector<PlannedLabels> curve;
  for (std::uint64_t k = 0; k <= points && horizon > 0; ++k) {
    const double part = static_cast<double>(k) / points;
    const auto round = static_cast<std::uint64_t>(part * part * static_cast<double>(horizon));
    if (!curve.empty() && round == curve.back().round) continue;
    if (const auto labels = planned_by(round)) curve.push_back({.round = round, .labels = *labels});
  }
  return curve;
}

bool Project::record(const LedgerEvent& event) {
  if (!live_.ledger->flush()) return false;  // first the unwritten records
  const LedgerWriter::Mark mark = live_.ledger->mark();
  live_.ledger->add(ledger::Type::event, event_payload(event));
  if (!live_.ledger->flush()) {
    live_.ledger->retract(mark);
    return false;
  }
  is_dirty_ = true;
  observer_.event(event);
  return true;
}

void Project::learn(const std::string& person, std::size_t rest) {
  for (const auto* held = desk_.held(person); held != nullptr && held->size() > rest;
       held = desk_.held(person)) {
    const std::size_t before = held->size();
    static_cast<void>(take_line(held->front().line));
    held = desk_.held(person);
    if (held != nullptr && held->size() == before) return;  // it could not be recorded
  }
}

void Project::tidy() {
  const std::int64_t now = clock_.now();
  live_.session->advance_to(now + live_.clock_shift);
  std::vector<std::string> away;
  for (const auto& [person, answers] : desk_.all_held()) {
    if (!answers.empty() && now - answers.back().came > options_.patience) away.push_back(person);
  }
  for (const std::string& person : away) learn(person, 0);
}

void Project::learn_held() {
  std::vector<std::string> people;
  for (const auto& [person, answers] : desk_.all_held()) people.push_back(person);
  for (const std::string& person : people) learn(person, 0);
}

void Project::rest() {
  if (!recorder_->end()) return;
  is_dirty_ = true;
}

void Project::commit(bool sync) {
  if (!is_dirty_) return;
  static_cast<void>(recorder_->finish());  // after a failure, tried again before the next lines
  if (!live_.ledger->commit(sync)) throw FileError("the ledger cannot be written: " + live_.ledger->why());
  is_dirty_ = false;
}

ProjectCounts Project::counts() const {
  const Tally tally = live_.session->tally();
  const Session::Counts counts = live_.session->counts();
  return {.rounds = tally.round,
          .asked = tally.asked,
          .answered = counts.labels[static_cast<std::size_t>(LabelOutcome::learned)],
          .skipped = counts.labels[static_cast<std::size_t>(LabelOutcome::skipped)] +
                     counts.labels[static_cast<std::size_t>(LabelOutcome::unsure)],
          .held = desk_.held_count(),
          .pending = counts.waiting - std::min(counts.waiting, desk_.complete_count()),
          .kept = kept_.size()};
}

std::string Project::report() {
  live_.session->advance_to(clock_.now() + live_.clock_shift);
  std::string report;
  append_report(*live_.session, report);
  return report;
}

std::uint64_t Project::answered_today(const std::string& person) const {
  const std::int64_t day = Annotators::day_of(clock_.now());
  std::uint64_t today = desk_.annotators().on_day(person, day);
  if (const std::deque<HeldAnswer>* held = desk_.held(person)) {
    today += static_cast<std::uint64_t>(std::ranges::count_if(
        *held, [&](const HeldAnswer& answer) { return Annotators::day_of(answer.came) == day; }));
  }
  return today;
}

}  // namespace askfew
