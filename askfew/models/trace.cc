#include "askfew/models/trace.h"

#include <fmt/format.h>
#include <iterator>

namespace askfew {

namespace {

/// A CSV field: in quotes, with quotes doubled, if necessary.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

TraceWriter::TraceWriter(std::ostream& out, const std::vector<std::string>& classes) : out_(out) {
  for (const std::string& name : classes) classes_.push_back(field(name));
  out_ << "round,task,margin,probability,coin,asked,prediction,label,updated\n";
}

void TraceWriter::write(std::size_t task, const Round& round) {
  const Query& q = round.query;
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), "{},{},{:.17g},{:.17g},{:.17g},{:d},{},{},{:d}\n", q.round, task,
                 q.score.margin, q.probability, q.coin, q.asked, name_of(round.prediction),
                 name_of(*round.label), round.updated);
  out_.write(line.data(), static_cast<std::streamsize>(line.size()));
}

std::string TraceWriter::name_of(LabelNumber label) const {
  if (classes_.empty()) return label == 1 ? "1" : "-1";
  return classes_[label];
}

}  // namespace askfew
