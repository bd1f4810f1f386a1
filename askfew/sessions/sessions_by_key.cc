#include "askfew/sessions/sessions_by_key.h"

#include <utility>

#include "askfew/core/errors.h"
#include "askfew/sessions/answers.h"
#include "askfew/sessions/model_keys.h"

namespace askfew {

void SessionsByKey::answer(std::span<const std::string_view> lines, std::int64_t came, std::string& answers) {
  while (!lines.empty()) {
    const std::size_t done = answer_run(lines, came, answers);
    lines_ += done;
    lines = lines.subspan(done);
  }
}

std::size_t SessionsByKey::answer_run(std::span<const std::string_view> lines, std::int64_t came,
                                      std::string& answers) {
  if (lines[0].find_first_not_of(" \t\r") == std::string_view::npos) return 1;
  const JsonKey::Found* found = reader_.find(lines[0]);
  const JsonKey::Found first = found == nullptr ? JsonKey::Found{} : *found;
  const auto ledger = ledger_of_key(options_.folder, first.key);
  if (found == nullptr || !ledger) {
    refuse(found != nullptr, answers);
    return 1;
  }
  std::size_t run = 1;
  while (run < lines.size() && (found = reader_.find(lines[run])) != nullptr && found->key == first.key)
    ++run;
  Recorder& recorder = *session(first.key, *ledger, came).recorder;
  plain_.clear();
  recorder.number_next(lines_ + 1);
  recorder.answer(lines.first(run), came, plain_);
  for (std::size_t at = 0; at < plain_.size();) {
    const std::size_t end = plain_.find('\n', at);
    append_with_field(std::string_view(plain_).substr(at, end - at), options_.field, first.token, answers);
    answers += '\n';
    at = end + 1;
  }
  return run;
}

void SessionsByKey::refuse(bool is_too_long, std::string& answers) const {
  Incoming incoming;
  incoming.number = lines_ + 1;
  append_error(incoming, complaint_of_key(options_.field, is_too_long), answers);
}

SessionsByKey::Live& SessionsByKey::session(const std::string& key, const std::string& ledger,
                                            std::int64_t now) {
  if (Live* found = sessions_.find(key)) return *found;
  if (sessions_.size() >= options_.most_open) {
    sessions_.remove_oldest([](Live& oldest) {
      if (oldest.recorder->end()) return true;
      throw FileError("the ledger cannot be written, so its session cannot be closed: " +
                      oldest.live.ledger->why());
    });
  }
  make_folder_of(ledger);
  Live opened{.live = open_(ledger), .recorder = nullptr};
  opened.live.set_clock(now);
  opened.recorder = std::make_unique<Recorder>(opened.live, options_.sync);
  ++opened_;
  return sessions_.add(key, std::move(opened));
}

bool SessionsByKey::end() {
  bool all = true;
  for (auto& entry : sessions_) all = entry.thing.recorder->end() && all;
  return all;
}

}  // namespace askfew
