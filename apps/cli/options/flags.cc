#include "apps/cli/options/flags.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <string_view>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/core/tally.h"
#include "askfew/streams/formats/svmlight/svmlight.h"
#include "askfew/streams/open.h"

#include "apps/cli/options/feature_flags.h"
#include "apps/cli/options/memory_flag.h"
#include "apps/cli/options/table_flags.h"

namespace askfew::cli {
namespace {

using NamePair = std::pair<std::string_view, std::string_view>;

/// Options whose flag is not their name with dashes.
constexpr std::array other_names{NamePair{"final_classifier", "--final"}, NamePair{"model_path", "--model"},
                                 NamePair{"max_words", "--most-words"}, NamePair{"paths", "DATA"}};

/// Of an option of the library.
std::string flag_of(std::string_view name) {
  for (const auto& [option, flag] : other_names) {
    if (option == name) return std::string(flag);
  }
  std::string flag = "--" + std::string(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

bool is_option(std::string_view name) {
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_part);
}

void append(Flags& flags, const Flags& more) {
  flags.insert(flags.end(), more.begin(), more.end());
}

Flags add_instance_flags(Command& command, ReadingOptions& options) {
  Flags added = add_feature_flags(command, options);
  added.push_back(
      command.add_option("--dimension", options.dimension, "number of features; larger indices are errors")
          ->range(1, SvmlightFormat::max_features));
  return added;
}

Flags add_format_flags(Command& command, ReadingOptions& options) {
  Flags added{
      command
          .add_option("--index-base", options.index_base,
                      "of svmlight text: the first index, 0 or 1, or auto: 0 if the first lines have it")
          ->one_of({"0", "1", "auto"})
          ->capture_default_str(),
      command.add_option("--label-field", options.label_field, "of package lists: section or tag")
          ->one_of({"section", "tag"})
          ->capture_default_str(),
  };
  append(added, add_table_flags(command, options.table));
  return added;
}

}  // namespace

std::string a_name(const std::string& text) {
  return text.empty() ? "it is empty" : "";
}

std::string with_flags(std::string text) {
  std::size_t open = text.find('`');
  while (open != std::string::npos) {
    const std::size_t close = text.find('`', open + 1);
    if (close == std::string::npos) break;
    const std::string_view name = std::string_view(text).substr(open + 1, close - open - 1);
    if (!is_option(name)) {
      open = close;
      continue;
    }
    const std::string flag = flag_of(name);
    text.replace(open, close - open + 1, flag);
    open = text.find('`', open + flag.size());
  }
  return text;
}

void add_data_flags(Command& command, DataOptions& options, NeedsLabels needs_labels) {
  command
      .add_option(
          "DATA", options.paths,
          "data files, plain or compressed with gzip or zstd, read one after the other; - is standard input, "
          "synthetic:NAME:PARAMETER=VALUE,... a stream that is made up, see askfew list")
      ->required()
      ->check(a_name);
  command.add_option("--format", options.format, fmt::format("auto or one of: {}", format_names()))
      ->capture_default_str();
  command.add_option("--on-error", options.on_error, "at a malformed example: stop, or skip it and count it")
      ->one_of({"stop", "skip"})
      ->capture_default_str();
  if (needs_labels == NeedsLabels::yes) {
    command
        .add_option("--unlabelled", options.unlabelled,
                    "at an example without a label: stop with an error, or skip it and count it")
        ->one_of({"refuse", "skip"})
        ->capture_default_str();
  }
  command.add_option("--threads", options.threads, "number of threads; the results do not depend on it")
      ->range(1, 1024)
      ->capture_default_str();
  command
      .add_option(
          "--max-line", options.max_line,
          "longest line that is accepted, or longest record of several lines, with its end (default: 16MiB)")
      ->transform(size_in_bytes)
      ->type_name("SIZE");
  add_max_memory(command, options.max_memory);
  command
      .add_option(
          "--order", options.order,
          "file: as written; time: by the examples' times; random: shuffled by the seed; for time and "
          "random all examples are read into memory first")
      ->one_of({"file", "time", "random"})
      ->capture_default_str();
  command.add_option("--split", options.split, "of Reuters-21578: which stories to read")
      ->one_of({"all", "modapte", "modapte-test", "modapte-train"})
      ->capture_default_str();
  command.add_flag("--with-topics", options.with_topics,
                   "of Reuters-21578: leave out stories without a topic");
  command
      .add_option("--idx-labels", options.idx_labels,
                  "label file of IDX images (default: the name with 'labels' for 'images')")
      ->check(a_name);
}

void add_cache_flag(Command& command, DataOptions& options) {
  command.add_flag(
      "--cache", options.cache,
      "keep a copy of the data that is read many times as fast: FILE.askcache beside the first file; "
      "the copy is used as long as the data and the options stay the same");
}

Flags add_reading_flags(Command& command, ReadingOptions& options) {
  Flags added = add_instance_flags(command, options);
  append(added, add_format_flags(command, options));
  return added;
}

Flags add_model_flags(Command& command, ModelOptions& options) {
  Flags added = add_live_flags(command, options);
  append(added, add_format_flags(command, options.reading));
  return added;
}

Flags add_live_flags(Command& command, ModelOptions& options) {
  SamplerOptions& sampler = options.sampler;
  Flags added{
      command
          .add_option("-s,--sampler", sampler.sampler,
                      "preset, e.g. sel-p or sel-p:b=0.5 (default: auto with --budget, else pa-log)")
          ->check(a_name),
      command.add_option("--learner", sampler.learner, "learner, e.g. pa-1:C=0.1; see askfew list")
          ->check(a_name),
      command.add_option("--rule", sampler.rule, "query rule, e.g. margin:b=0.1")->check(a_name),
      command.add_option("--update", sampler.update, "mistake, asked or margin (default: the learner's own)")
          ->check(a_name),
      command.add_option("--seed", options.seed, "seed of the coins")
          ->unshown_range(0, ~std::uint64_t{0})
          ->capture_default_str(),
  };
  added.push_back(add_aim_flag(command, sampler.aim));
  append(added, add_spending_flags(command, sampler));
  append(added, add_label_flags(command, options.labels));
  append(added, add_instance_flags(command, options.reading));
  return added;
}

Option* add_ask_flag(Command& command, std::string& ask) {
  return command
      .add_option("--ask", ask,
                  "with several topics: decide about each topic (apart), or once per document for all topics "
                  "(together; budgets then count documents)")
      ->one_of({"apart", "together"})
      ->capture_default_str();
}

Option* add_seed_labels_flag(Command& command, std::string& path) {
  return command
      .add_option("--seed-labels", path,
                  "learn this labelled file before the first question; no budget and no estimate counts it")
      ->check(a_name)
      ->type_name("FILE");
}

Option* add_aim_flag(Command& command, std::string& aim) {
  return command
      .add_option(
          "--aim", aim,
          "what predictions aim at: accuracy, f1, recall=0.9 or precision=0.9; changes predictions only")
      ->check(a_name)
      ->capture_default_str();
}

Flags add_label_flags(Command& command, LabelOptions& options) {
  return {
      command
          .add_option("--positive", options.positive,
                      "train one binary task; these labels are positive, e.g. 1,4,7; a label with a comma is "
                      "in double "
                      "quotes")
          ->check(a_name),
      command
          .add_option("--negative", options.negative,
                      "with --positive: these labels are negative, and any other label is an error")
          ->check(a_name),
      command
          .add_option("--labels", options.labels,
                      "train one binary task per label: all, 0-9, or 3,17; in label and stream two labels "
                      "are one task, and the first is positive")
          ->check(a_name),
      command
          .add_option(
              "--topics", options.topics,
              "train one binary task for each of the N most frequent labels; a first pass counts them")
          ->unshown_range(1, 1'000'000)
          ->type_name("N"),
      command.add_flag("--multiclass", options.multiclass,
                       "train one task with several classes; every example has one class"),
  };
}

Flags add_spending_flags(Command& command, SamplerOptions& options) {
  return {
      command
          .add_option(
              "--budget", options.budget,
              "how many labels each task may ask for: 500, 5% of the rounds, or 200/day (minute, hour, week) "
              "by the times in the data; most are asked early, when labels teach most")
          ->check(a_name),
      command
          .add_option("--horizon", options.horizon,
                      "number of rounds that the budget is for (default: the number of examples in the file; "
                      "unknown for a pipe)")
          ->unshown_range(1, max_rounds)
          ->type_name("ROUNDS"),
      command
          .add_option("--audit", options.audit,
                      "estimate the quality from the asked labels alone: every label is asked at least with "
                      "this probability, e.g. 0.5%; auto: a fifth of the budget")
          ->check(a_name),
  };
}

void add_first_seed_flag(Command& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "seed of the first run; each further run adds 1")
      ->unshown_range(0, ~std::uint64_t{0})
      ->capture_default_str();
}

}  // namespace askfew::cli
