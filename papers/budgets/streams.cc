#include "papers/budgets/streams.h"

#include <fmt/core.h>
#include <functional>

#include "askfew/core/errors.h"
#include "askfew/models/label_plan.h"
#include "askfew/streams/open.h"

#include "papers/data.h"
#include "papers/datasets.h"

namespace askfew::budgets {
namespace {

constexpr std::size_t topics = 4;  // the most frequent topics

Dataset from_file(const ExperimentContext& context, std::string_view set, std::string_view file,
                  const std::string& positive, std::size_t most) {
  const LabelPlan labels =
      positive.empty() ? LabelPlan{} : LabelPlan{.kind = LabelPlan::Kind::any_of, .names = {positive}};
  const auto stream = open_stream(path_of(context.data, set, file), {.threads = context.jobs.threads});
  FeatureState features;
  return Dataset::read(*stream, labels.labelling(*stream), features, most);
}

}  // namespace

std::vector<Source> all_sources(const ExperimentContext& context, std::string& missing) {
  const std::size_t most = context.quick ? 1500 : 30'000;
  const DigitsPlan digits{.positive = {{1, 4, 7}}, .most = most, .normalize = false};
  std::vector<Source> sources;
  const auto add = [&](std::string name, const std::function<Dataset()>& read) {
    try {
      sources.push_back({.name = std::move(name), .data = read()});
    } catch (const FileError& error) {
      missing += fmt::format("{}{}", missing.empty() ? "" : "; ", error.what());
    }
  };
  const std::size_t all = context.quick ? most : std::size_t{1} << 32;
  add("a9a", [&] { return from_file(context, "a9a", "a9a", "", most); });
  add("elec2", [&] { return from_file(context, "elec2", "elecNormNew.arff", "UP", all); });
  add("usenet1", [&] { return from_file(context, "usenet", "usenet1.arff", "", most); });
  add("usenet2", [&] { return from_file(context, "usenet", "usenet2.arff", "", most); });
  add("sms_spam", [&] { return from_file(context, "sms_spam", "SMSSpamCollection", "spam", most); });
  add("mnist, 1 4 7", [&] { return read_mnist(context, digits); });
  add("usps, 1 4 7", [&] { return read_usps(context, digits); });
  for (const int subset : {1, 2, 3}) {
    add(fmt::format("rcv1 {}, {} topics", subset, topics),
        [&] { return read_rcv1(context, subset, topics, most).data; });
  }
  add(fmt::format("reuters, {} topics", topics),
      [&] { return read_reuters(context, topics, {}, most).data; });
  return sources;
}

}  // namespace askfew::budgets
