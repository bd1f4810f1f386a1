#include "askfew/models/model.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "askfew/models/model_file.h"

#include "tests/streams.h"

namespace askfew {
namespace {

RC_GTEST_PROP(ModelFile, keeps_every_snapshot, ()) {
  Snapshot snapshot;
  const auto doubles = *rc::gen::arbitrary<std::vector<double>>();
  const auto integers = *rc::gen::arbitrary<std::vector<std::uint64_t>>();
  SnapshotWriter visit(snapshot, "a.");
  visit("doubles", doubles);
  visit("integers", integers);
  visit("flag", true);
  snapshot.metadata["text"] = *rc::gen::container<std::string>(rc::gen::inRange(' ', '~'));
  RC_ASSERT(decode_model(encode_model(snapshot)) == snapshot);
}

Model trained_model() {
  ModelConfig config;
  config.sampler = parse_preset("sel-p");
  config.labels = {LabelPlan::Kind::one_per_label, {"x", "y"}};
  Model model{.config = config, .tasks = make_tasks(config)};
  for (const auto& example : test::teacher_stream(1, 200, 30, 5)) {
    for (Task& task : model.tasks) {
      const Query query = task.sampler->ask(example.x());
      if (query.asked) task.sampler->tell(example.x(), example.y, query);
    }
  }
  return model;
}

std::string complaint(const std::string& bytes) {
  try {
    model_of(decode_model(bytes));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Model, is_unchanged_by_saving_and_loading) {
  const Model model = trained_model();
  const Snapshot snapshot = snapshot_of(model);
  const Model again = model_of(decode_model(encode_model(snapshot)));
  EXPECT_EQ(snapshot_of(again), snapshot);
  EXPECT_EQ(again.config.labels, model.config.labels);
}

TEST(Model, a_model_without_forecasts_of_mistakes_is_read_and_goes_on) {
  ModelConfig config;
  config.sampler = parse_preset("sel-p");
  config.sampler.spending.audit = 0.1;
  Model model = make_model(config);
  const auto train = [](Task& task, std::uint64_t seed) {
    for (const auto& example : test::teacher_stream(seed, 200, 30, 5)) {
      const Query query = task.sampler->ask(example.x());
      if (query.asked) task.sampler->tell(example.x(), example.y, query);
      task.watch->add(
          {.query = query, .prediction = number_of(query.prediction), .label = number_of(example.y)});
    }
  };
  train(model.tasks[0], 1);
  Snapshot snapshot = snapshot_of(model);
  const auto is_forecast = [](const auto& tensor) {
    return tensor.first.find("forecast") != std::string::npos;
  };
  Snapshot damaged = snapshot;  // only one is missing
  damaged.tensors.erase(std::ranges::find_if(damaged.tensors, is_forecast));
  EXPECT_THROW(model_of(damaged), ModelError);
  EXPECT_GT(std::erase_if(snapshot.tensors, is_forecast), 0);
  Model earlier = model_of(snapshot);
  EXPECT_EQ(earlier.tasks[0].watch->estimate().rounds(), 200);
  train(earlier.tasks[0], 2);
  EXPECT_EQ(snapshot_of(model_of(snapshot_of(earlier))), snapshot_of(earlier));
}

TEST(Model, a_model_of_an_earlier_version_keeps_its_kind_of_forecasts) {
  const auto forecasts_of = [](ForecastKind kind) {
    ModelConfig config;
    config.sampler = parse_preset("sel-p");
    config.sampler.spending.audit = 0.1;
    config.sampler.spending.fits_forecasts = kind == ForecastKind::fitted;
    const Model model = model_of(decode_model(encode_model(snapshot_of(make_model(config)))));
    EXPECT_EQ(model.config.sampler.spending, config.sampler.spending);
    Snapshot watch;
    SnapshotWriter(watch, "")("watch", *model.tasks[0].watch);
    return watch;
  };
  for (const ForecastKind kind : {ForecastKind::earlier, ForecastKind::fitted}) {
    Snapshot expected;
    SnapshotWriter(expected, "")("watch", QualityMonitor(0.1, 0, QualityMonitor::usual_window, kind));
    EXPECT_EQ(forecasts_of(kind), expected);
  }
  EXPECT_NE(forecasts_of(ForecastKind::earlier), forecasts_of(ForecastKind::fitted));
}

TEST(ModelFile, every_flipped_bit_is_detected) {
  const std::string bytes = encode_model(snapshot_of(trained_model()));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    EXPECT_NE(complaint(damaged), "no error") << "byte " << at;
  }
}

TEST(ModelFile, every_truncation_is_detected) {
  const std::string bytes = encode_model(snapshot_of(trained_model()));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(complaint(bytes.substr(0, size)), "no error") << size << " bytes";
  }
}

TEST(ModelFile, foreign_files_are_refused_with_a_reason) {
  EXPECT_EQ(complaint("hello"), "not an askfew model: it is too short");
  EXPECT_EQ(complaint("+1 1:0.5 2:0.5\n"), "not an askfew model: it does not begin like a safetensors file");
  EXPECT_EQ(complaint(encode_model({})), "not an askfew model: it has no configuration");
  Snapshot newer = snapshot_of(trained_model());
  newer.metadata["askfew.format"] = "5";
  EXPECT_EQ(complaint(encode_model(newer)), "a model of format 5, this program reads 4");
}

TEST(Model, a_missing_or_wrong_tensor_is_refused) {
  Snapshot snapshot = snapshot_of(trained_model());
  snapshot.tensors.erase("task1.learner.w");
  EXPECT_EQ(complaint(encode_model(snapshot)), "no tensor task1.learner.w");
  snapshot.tensors["task1.learner.w"] = {.dtype = "U32", .shape = {1}, .bytes = std::string(4, '\0')};
  EXPECT_EQ(complaint(encode_model(snapshot)), "task1.learner.w should be of type F64");
}

TEST(Model, numbers_that_are_not_finite_are_neither_saved_nor_loaded) {
  ModelConfig config;
  config.sampler = parse_preset("winnow:eta=1000");
  config.dimension = 2;
  const Model model{.config = config, .tasks = make_tasks(config)};
  const std::vector<double> huge{-1e6, 1e6};
  const FeatureView x = FeatureView::dense(huge);
  AnySampler& sampler = *model.tasks[0].sampler;
  EXPECT_THROW(sampler.tell(x, Label::positive, sampler.ask(x)), NumericError);
  EXPECT_NO_THROW(snapshot_of(model));  // nothing was learned
  Snapshot snapshot = snapshot_of(trained_model());
  SnapshotWriter(snapshot, "task0.learner.")("w", std::vector<double>{1.0, std::nan("")});
  EXPECT_EQ(complaint(encode_model(snapshot)),
            "task0.learner.w is not finite: an update was too large for a number");
}

TEST(Model, an_impossible_configuration_is_refused) {
  Snapshot snapshot = snapshot_of(trained_model());
  std::string& config = snapshot.metadata["askfew.config"];
  config.replace(config.find("rate=1"), 6, "rate=0");
  EXPECT_EQ(complaint(encode_model(snapshot)).substr(0, 36), "its configuration is not possible: p");
}

}  // namespace
}  // namespace askfew
