#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "askfew/models/model_file.h"
#include "askfew/sessions/recorder.h"

namespace askfew {

/// Gives lines to a recorder as one group and returns its answers.
inline std::vector<nlohmann::json> answers_to(Recorder& recorder, const std::vector<std::string>& lines,
                                              std::int64_t time) {
  std::vector<std::string> padded;
  for (const std::string& line : lines) padded.push_back(line + std::string(IncomingReader::padding, ' '));
  std::vector<std::string_view> views;
  for (std::size_t k = 0; k < lines.size(); ++k)
    views.push_back(std::string_view(padded[k]).substr(0, lines[k].size()));
  std::string answers;
  recorder.answer(views, time, answers);
  std::vector<nlohmann::json> parsed;
  std::size_t from = 0;
  while (from < answers.size()) {
    const std::size_t end = answers.find('\n', from);
    parsed.push_back(nlohmann::json::parse(answers.substr(from, end - from)));
    from = end + 1;
  }
  return parsed;
}

/// A session without a ledger, and its answers.
class Live {
 public:
  explicit Live(const ModelConfig& config, const LabelQueue::Options& options = {},
                const SharedLimit& memory = nullptr)
      : session_(make_model(config, {.exactness = Exactness::exact, .memory = memory}), options, memory),
        recorder_(session_, nullptr, false) {}

  /// At this time, or now if that is later: time does not go back.
  std::vector<nlohmann::json> group(const std::vector<std::string>& lines, std::int64_t time = 0) {
    return answers_to(recorder_, lines, std::max(time, session_.time()));
  }
  nlohmann::json operator()(const std::string& line, std::int64_t time = 0) {
    const auto answers = group({line}, time);
    return answers.size() == 1 ? answers[0] : nlohmann::json(answers);
  }
  const Session& session() const { return session_; }
  std::string model() const { return encode_model(snapshot_of(session_.model())); }

 private:
  Session session_;
  Recorder recorder_;
};

}  // namespace askfew
