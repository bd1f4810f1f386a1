#include "askfew/metrics/trace.h"

#include <fmt/format.h>
#include <iterator>

namespace askfew {

TraceWriter::TraceWriter(std::ostream& out) : out_(out) {
  out_ << "round,task,margin,probability,coin,asked,prediction,label,updated\n";
}

void TraceWriter::write(const TraceRow& row) {
  const Query& q = row.query;
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), "{},{},{:.17g},{:.17g},{:.17g},{:d},{},{},{:d}\n", q.round,
                 row.task, q.score.margin, q.probability, q.coin, q.asked, static_cast<int>(q.prediction),
                 static_cast<int>(row.label), row.updated);
  out_.write(line.data(), static_cast<std::streamsize>(line.size()));
}

}  // namespace askfew
