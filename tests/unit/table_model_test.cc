#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "askfew/models/model.h"
#include "askfew/models/model_file.h"
#include "askfew/streams/formats/tables/table_json.h"

namespace askfew {
namespace {

using nlohmann::json;

TableSchema some_schema() {
  return {.columns = {{.name = "n", .kind = ColumnKind::numeric},
                      {.name = "day", .kind = ColumnKind::nominal, .values = {"1", "2", ""}},
                      {.name = "caf\xc3\xa9", .kind = ColumnKind::categorical},
                      {.name = "t", .kind = ColumnKind::text},
                      {.name = "", .kind = ColumnKind::ignored},
                      {.name = "class", .kind = ColumnKind::label, .values = {"a", "b"}}},
          .labels = LabelKind::one_two,
          .header = false,
          .delimiter = '\t'};
}

TEST(TableModel, keeps_the_schema) {
  ModelConfig config;
  config.sampler = parse_preset("sel-p");
  config.schema = some_schema();
  const Model model = make_model(config);
  const Model again = model_of(decode_model(encode_model(snapshot_of(model))));
  EXPECT_EQ(again.config.schema, config.schema);
  config.schema.reset();
  EXPECT_FALSE(model_of(snapshot_of(make_model(config))).config.schema);
}

TEST(TableModel, every_delimiter_is_saved_and_loaded) {
  for (const char delimiter : {',', ';', '|', ' ', '\t', ':'}) {
    TableSchema schema = some_schema();
    schema.delimiter = delimiter;
    EXPECT_EQ(table_of(json_of(schema)), schema);
  }
}

TEST(TableModel, an_impossible_schema_is_refused) {
  const auto refused = [](const auto& change) {
    json text = json_of(some_schema());
    change(text);
    EXPECT_THROW(table_of(text), ConfigError) << text;
  };
  refused([](json& text) { text["columns"][1]["name"] = "n"; });           // two columns with the same name
  refused([](json& text) { text["columns"][0]["kind"] = "label"; });       // two labels
  refused([](json& text) { text["columns"][5]["kind"] = "ignored"; });     // no label
  refused([](json& text) { text["columns"][1]["values"] = {"x", "x"}; });  // the same value twice
  refused([](json& text) { text["columns"][0]["kind"] = "strange"; });
  refused([](json& text) { text["labels"] = "topics"; });
  refused([](json& text) { text["delimiter"] = "\""; });
  refused([](json& text) { text["columns"] = json::array(); });
  json text = json_of(some_schema());
  text.erase("header");
  EXPECT_THROW(table_of(text), json::exception);
}

}  // namespace
}  // namespace askfew
