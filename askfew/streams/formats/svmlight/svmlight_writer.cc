#include "askfew/streams/formats/svmlight/svmlight_writer.h"

#include <fmt/format.h>

#include "askfew/config/text.h"
#include "askfew/streams/label_names.h"

namespace askfew {

void SvmlightWriter::add(const Examples& block, const Stream& stream) {
  fmt::memory_buffer text;
  const auto end = std::back_inserter(text);
  for (std::size_t row = 0; row < block.size(); ++row) {
    bool first = true;
    for (const Examples::LabelId label : block.labels(row)) {
      if (label >= LabelNames::first) {
        throw ConfigError(fmt::format("svmlight has numbers as labels, not {}: write a cache instead",
                                      in_quotes(stream.label_name(label))));
      }
      fmt::format_to(end, "{}{}", first ? "" : ",", label);
      first = false;
    }
    bool any = false;
    block.x(row).for_each([&](FeatureView::Index index, double value) {
      fmt::format_to(end, " {}:{}", std::uint64_t{index} + 1, value);
      any = true;
    });
    if (!any) fmt::format_to(end, " 1:0");  // a line of blanks would not be an example
    text.push_back('\n');
  }
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace askfew
