#include "papers/drift_rates/streams.h"

#include <fmt/core.h>
#include <memory>

#include "askfew/core/shuffled.h"
#include "askfew/models/label_plan.h"
#include "askfew/streams/open.h"

#include "papers/datasets.h"

namespace askfew::drift_rates {
namespace {

using moroshko_2014::Repetition;
using moroshko_2014::Source;

/// Adds a constant feature. Without a constant feature, an instance of unknown words has margin 0, and rules
/// that use the margin ask for every such label, whatever their rate.
Source from_file(const ExperimentContext& context, std::string_view set, std::string_view file,
                 const LabelPlan& labels) {
  const auto read = [&](bool unit_norms) {
    const FeatureOptions options{.bias = 1, .normalize = unit_norms};
    const auto stream =
        open_stream(path_of(context.data, set, file), {.features = options, .threads = context.jobs.threads});
    FeatureState features(options);
    const std::size_t most = context.quick ? 3000 : std::size_t{1} << 32;
    return std::make_shared<const Dataset>(Dataset::read(*stream, labels.labelling(*stream), features, most));
  };
  const auto as_read = read(false);
  const auto normalized = read(true);
  const std::size_t rounds = as_read->size();
  return {.name = std::string(file.substr(0, file.find('.'))),
          .key = fmt::format("{} n={} seed {}", file, rounds, context.seed),
          .rounds = rounds,
          .to_turn = 4,
          .to_judge = 4,
          .draw = [=, seed = context.seed](std::uint64_t k, bool unit_norms) {
            return Repetition{.data = unit_norms ? *normalized : *as_read,
                              .rows = in_order(rounds),
                              .seed = seed * 1000 + k};
          }};
}

}  // namespace

std::vector<Source> streams_in_time(const ExperimentContext& context) {
  return {from_file(context, "elec2", "elecNormNew.arff", {.kind = LabelPlan::Kind::any_of, .names = {"UP"}}),
          from_file(context, "usenet", "usenet1.arff", {}), from_file(context, "usenet", "usenet2.arff", {})};
}

}  // namespace askfew::drift_rates
