#include "askfew/models/trace.h"

#include <fmt/format.h>
#include <iterator>

#include "askfew/config/csv_field.h"

namespace askfew {

TraceWriter::TraceWriter(std::ostream& out, const std::vector<std::string>& classes, bool has_audit,
                         bool has_ids)
    : out_(out), has_audit_(has_audit), has_ids_(has_ids) {
  for (const std::string& name : classes) classes_.push_back(csv_field(name));
  out_ << "round,task,margin,probability,coin,asked,prediction,label,updated"
       << (has_audit ? ",audit,audit_coin,chance" : "") << (has_ids ? ",id\n" : "\n");
}

void TraceWriter::write(std::size_t task, const Round& round, std::string_view id) {
  const Query& q = round.query;
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), "{},{},{:.17g},{:.17g},{:.17g},{:d},{},{},{:d}", q.round, task,
                 q.score.margin, q.probability, q.coin, q.asked, name_of(round.prediction),
                 name_of(*round.label), round.updated);
  if (has_audit_) {
    fmt::format_to(std::back_inserter(line), ",{:.17g},{:.17g},{:.17g}", q.audit, q.audit_coin, q.chance());
  }
  if (has_ids_) fmt::format_to(std::back_inserter(line), ",{}", csv_field(id));
  line.push_back('\n');
  out_.write(line.data(), static_cast<std::streamsize>(line.size()));
}

std::string TraceWriter::name_of(LabelNumber label) const {
  if (classes_.empty()) return label == 1 ? "1" : "-1";
  return classes_[label];
}

}  // namespace askfew
