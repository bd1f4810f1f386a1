#include "askfew/core/word_table.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>

#include "askfew/core/snapshot.h"

namespace askfew {
namespace {

TEST(WordTable, numbers_words_in_the_order_of_their_first_appearance) {
  WordTable table;
  EXPECT_EQ(table.find("a"), WordTable::none);
  EXPECT_EQ(table.add("b"), 0);
  EXPECT_EQ(table.add("a"), 1);
  EXPECT_EQ(table.add("b"), 0);
  EXPECT_EQ(table.add(""), 2);
  EXPECT_EQ(table.add(std::string_view("\0x", 2)), 3);
  EXPECT_EQ(table.find(""), 2);
  EXPECT_EQ(table.find("c"), WordTable::none);
  EXPECT_EQ(table[1], "a");
  EXPECT_EQ(table[3], std::string_view("\0x", 2));
  EXPECT_EQ(table.size(), 4);
}

/// Words of one to three of four letters: most words repeat.
std::string random_word(std::mt19937& random) {
  std::string word(1 + random() % 5, 'a');
  for (char& c : word) c = static_cast<char>('a' + random() % 4);
  return word;
}

TEST(WordTable, agrees_with_a_map_after_any_additions_and_retractions) {
  std::mt19937 random(1);
  WordTable table;
  std::map<std::string, WordTable::Number> model;
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 500 == 0) {
      const auto keep = static_cast<WordTable::Number>(random() % (table.size() + 1));
      table.forget_from(keep);
      std::erase_if(model, [&](const auto& entry) { return entry.second >= keep; });
    } else if (random() % 5000 == 0) {
      table.clear();
      model.clear();
    }
    const std::string word = random_word(random);
    const std::string other = random_word(random);
    const auto found = model.try_emplace(word, static_cast<WordTable::Number>(model.size())).first;
    ASSERT_EQ(table.add(word), found->second);
    ASSERT_EQ(table[found->second], word);
    ASSERT_EQ(table.find(other), model.contains(other) ? model[other] : WordTable::none);
    ASSERT_EQ(table.size(), model.size());
  }
}

WordTable loaded_from(const Snapshot& snapshot) {
  WordTable table;
  SnapshotReader visit(snapshot, "t.");
  WordTable::state(table, visit);
  return table;
}

TEST(WordTable, is_unchanged_by_saving_and_loading) {
  std::mt19937 random(2);
  WordTable table;
  for (int k = 0; k < 500; ++k) table.add(random_word(random));
  Snapshot snapshot;
  SnapshotWriter visit(snapshot, "t.");
  WordTable::state(std::as_const(table), visit);
  EXPECT_EQ(snapshot.tensors.at("t.bytes").dtype, "U8");
  WordTable loaded = loaded_from(snapshot);
  ASSERT_EQ(loaded.size(), table.size());
  for (int k = 0; k < 500; ++k) {
    const std::string word = random_word(random);
    EXPECT_EQ(loaded.add(word), table.add(word));
  }
}

TEST(WordTable, refuses_an_impossible_state) {
  const auto with = [](std::string bytes, std::vector<std::uint64_t> ends) {
    const std::uint64_t sizes[] = {bytes.size(), ends.size()};
    Snapshot snapshot;
    snapshot.tensors["t.bytes"] = {"U8", {sizes[0]}, std::move(bytes)};
    snapshot.tensors["t.ends"] = {
        "U64", {sizes[1]}, std::string(reinterpret_cast<const char*>(ends.data()), 8 * ends.size())};
    return snapshot;
  };
  EXPECT_EQ(loaded_from(with("abc", {1, 3})).find("bc"), 1);
  EXPECT_EQ(loaded_from(with("", {})).size(), 0);
  for (const Snapshot& wrong : {with("abc", {1, 2}), with("abc", {2, 1, 3}), with("abc", {1, 4}),
                                with("a", {}), with("abab", {2, 4}), with("", {~std::uint64_t{0}})}) {
    EXPECT_THROW(loaded_from(wrong), ModelError);
  }
}

}  // namespace
}  // namespace askfew
