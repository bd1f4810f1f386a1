#include "askfew/models/trace.h"

#include <fmt/format.h>
#include <iterator>

namespace askfew {

namespace {

/// As CSV has it: in quotes, and quotes doubled, where it would be torn apart otherwise.
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

void TraceWriter::write(const TraceRow& row) {
  const Query& q = row.query;
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), "{},{},{:.17g},{:.17g},{:.17g},{:d},{},{},{:d}\n", q.round,
                 row.task, q.score.margin, q.probability, q.coin, q.asked, name_of(row.prediction),
                 name_of(row.label), row.updated);
  out_.write(line.data(), static_cast<std::streamsize>(line.size()));
}

std::string TraceWriter::name_of(std::int64_t label) const {
  return classes_.empty() ? std::to_string(label) : classes_[static_cast<std::size_t>(label)];
}

}  // namespace askfew
