#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/features/stop_words.h"

#include "papers/cbgz_2006/measure.h"

namespace askfew::cbgz_2006 {
namespace {

struct Variant {
  NamedFeatures features;
  std::string preset = "sel-2nd";
};

std::vector<Variant> variants() {
  const auto changed = [](std::string name, auto change) {
    NamedFeatures features = standard_features(0);
    features.name = std::move(name);
    change(features.options);
    return Variant{features};
  };
  std::vector<Variant> all{
      changed("words, tf-idf", [](FeatureOptions& o) { o.text.stop_words = "", o.text.stem = "none"; }),
      changed("without stop words, tf-idf", [](FeatureOptions& o) { o.text.stem = "none"; }),
      changed("stems, tf-idf", [](FeatureOptions& o) { o.text.stop_words = ""; }),
      changed("stop words, stems, no tf-idf", [](FeatureOptions& o) { o.tf_idf = false; }),
      changed("stop words, stems, tf-idf, counts n",
              [](FeatureOptions& o) { o.text.tf = TermWeight::count; }),
      changed("stop words, stems, tf-idf, counts 0 or 1",
              [](FeatureOptions& o) { o.text.tf = TermWeight::once; }),
      changed("stop words, stems, tf-idf, pairs of words, too", [](FeatureOptions& o) {
        o.text.ngrams = {1, 2}, o.text.bits = 22;
      })};
  for (const double bias : {0.0, 0.1, 0.2, 0.5, 1.0}) all.push_back({standard_features(bias)});
  for (const char* preset : {"sel-2nd:a=0.1", "sel-2nd:a=0.3", "sel-2nd:a=3"}) {
    all.push_back({standard_features(), preset});
  }
  return all;
}

}  // namespace

std::vector<Tried> try_features(const ExperimentContext& context, std::size_t topics, std::size_t runs) {
  const std::vector<Variant> all = variants();
  std::vector<Job> jobs;
  for (const Variant& variant : all) {
    jobs.push_back({.key = fmt::format("tried {} {} topics {} runs {} seed {}", variant.features.name,
                                       variant.preset, topics, runs, context.seed),
                    .work = [&context, &variant, topics, runs]() -> nlohmann::json {
                      const TextSet set = reuters_set(context, variant.features, topics, 0);
                      return {{"tenth", at_rate_job(set, variant.preset, 0.1, runs, context.seed).work()},
                              {"all", at_rate_job(set, variant.preset, 1, 1, context.seed).work()}};
                    }});
  }
  const std::vector<nlohmann::json> results = run_jobs(jobs, context.jobs);
  std::vector<Tried> tried;
  for (std::size_t k = 0; k < all.size(); ++k) {
    tried.push_back({.name = fmt::format("{}; {}", all[k].features.name, all[k].preset),
                     .tenth = text_point_of(results[k].at("tenth")),
                     .all = text_point_of(results[k].at("all"))});
  }
  return tried;
}

}  // namespace askfew::cbgz_2006
