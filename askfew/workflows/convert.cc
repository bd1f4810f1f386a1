#include "askfew/workflows/convert.h"

#include <fmt/core.h>

#include "askfew/streams/formats/cache/writer.h"
#include "askfew/streams/formats/svmlight/svmlight_writer.h"
#include "askfew/system/atomic_file.h"
#include "askfew/workflows/choice.h"
#include "askfew/workflows/input_files.h"
#include "askfew/workflows/setup.h"

namespace askfew {
namespace {

/// Gives every block of a stream to a writer, as long as `out` accepts them.
template <typename Writer>
std::uint64_t copy(Stream& stream, const std::ostream& out, Writer& writer, const ConvertHooks& hooks) {
  std::uint64_t examples = 0;
  Examples block;
  auto more = stream.next(block);
  for (; more && *more && out; more = stream.next(block)) {
    writer.add(block, stream);
    examples += block.size();
    if (hooks.progress) hooks.progress(examples);
  }
  if (!more) throw DataError(more.error());
  return examples;
}

/// THROWS: ConfigError for options that apply only when the result is read.
void check(const ConvertOptions& options, const ModelConfig& config) {
  const auto refuse = [&](bool given, std::string_view option) {
    if (given) {
      throw ConfigError(fmt::format("`{}` is not for convert `to` {}: give it where the result is read",
                                    option, options.to));
    }
  };
  refuse(config.features.tf_idf, "tf_idf");
  refuse(options.data.order != "file", "order");
  if (options.to == "cache") {
    refuse(config.features.bias != 0, "bias");
    refuse(config.features.normalize, "normalize");
  } else {
    refuse(config.features.text.dictionary, "dictionary");
  }
}

}  // namespace

ConvertResult convert(const ConvertOptions& options, const ConvertHooks& hooks) {
  const bool to_cache = choice<bool>("to", options.to, {{"cache", true}, {"svmlight", false}});
  check_apart(input_files(options.data, options.reading),
              std::vector<FilePlace>{{"`output`", options.output}});
  InputData data(options.data, hooks);
  const ModelConfig config = reading_config(options.reading, data);
  check(options, config);
  const auto stream = data.open(config);
  AtomicFile file(options.output, hooks.standard_output, hooks.stop);
  ConvertResult result;
  if (to_cache) {
    CacheWriter writer(file.stream(), cache_header(*stream));
    result.examples = copy(*stream, file.stream(), writer, hooks);
    writer.finish(*stream);
  } else {
    SvmlightWriter writer(file.stream());
    result.examples = copy(*stream, file.stream(), writer, hooks);
  }
  data.tell_skipped();
  static_cast<void>(data.check(*stream));
  result.skipped = data.skipped().count;
  result.stopped = hooks.stopped();
  if (!result.stopped) file.commit();
  return result;
}

}  // namespace askfew
