#include "askfew/workflows/label.h"

#include <algorithm>
#include <cctype>
#include <fmt/core.h>
#include <fstream>
#include <iostream>
#include <memory>

#include "askfew/config/csv_field.h"
#include "askfew/config/printable.h"
#include "askfew/models/model_file.h"
#include "askfew/system/atomic_file.h"
#include "askfew/system/file_places.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/key_input.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/options/help_groups.h"
#include "apps/cli/options/ledger_flag.h"
#include "apps/cli/options/memory_flag.h"
#include "apps/cli/options/table_flags.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/numbers.h"
#include "apps/cli/reports/terminal_hooks.h"

namespace askfew::cli {
namespace {

constexpr std::size_t screen_width = 80;

struct LabelCommand {
  LabelPoolOptions options;
  std::string out;
  std::string model_path;
  std::uint64_t batch = 0;

  int operator()();
  int write_batch(Labeller& labeller) const;
};

/// The text in lines that fit a terminal; nothing in it can command the terminal.
std::string wrapped(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  std::string word;
  const auto put = [&] {
    if (word.empty()) return;
    if (column > 0 && column + 1 + word.size() > screen_width - 4) {
      out += '\n';
      column = 0;
    }
    out += column == 0 ? "  " : " ";
    out += word;
    column += word.size() + 1;
    word.clear();
  };
  for (const char c : without_controls(text)) {
    if (c == ' ') {
      put();
    } else {
      word += c;
    }
  }
  put();
  return out + "\n";
}

std::string status_line(const LabelStatus& status) {
  std::string text = "[" + grouped(status.answered);
  if (status.allowed) text += " of " + grouped(*status.allowed);
  text += " labels]";
  for (const auto& [name, count] : status.labels)
    text += fmt::format("  {} {}", printable(name), grouped(count));
  if (status.skipped > 0) text += fmt::format("  skipped {}", grouped(status.skipped));
  text += fmt::format("  seen {} of {}", grouped(status.passed), grouped(status.pool));
  if (status.estimated_f) text += fmt::format("  F about {:.2f}", *status.estimated_f);
  if (text.size() > screen_width) text.resize(screen_width);
  return text + "\n";
}

/// The keys of the labels: their first letters if these differ and mean nothing else, else 1, 2, ...
std::string keys_of(const std::vector<std::string>& labels) {
  std::string letters;
  for (const std::string& label : labels) {
    const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
    const bool is_free = std::isalpha(static_cast<unsigned char>(letter)) != 0 &&
                         letters.find(letter) == std::string::npos &&
                         std::string_view("?kuwq").find(letter) == std::string_view::npos;
    if (!is_free) break;
    letters += letter;
  }
  if (letters.size() == labels.size()) return letters;
  letters.clear();
  for (std::size_t k = 0; k < labels.size(); ++k)
    letters += static_cast<char>(k < 9 ? '1' + k : 'A' + (k - 9));
  return letters;
}

std::string help_line(const std::vector<std::string>& labels, const std::string& keys) {
  std::string text;
  for (std::size_t k = 0; k < labels.size(); ++k)
    text += fmt::format("{} {}   ", keys[k], printable(labels[k]));
  return text + "k skip   u undo   w why   q quit\n";
}

/// Asks until the budget is spent or the person leaves.
void ask(Labeller& labeller, const std::atomic<bool>& interrupted) {
  const std::vector<std::string>& labels = labeller.labels();
  const std::string keys = keys_of(labels);
  const KeyInput input(interrupted);
  while (const auto question = labeller.next()) {
    std::cout << '\n'
              << status_line(labeller.status()) << std::string(screen_width, '-') << '\n'
              << wrapped(question->item.text) << std::string(screen_width, '-') << '\n'
              << help_line(labels, keys) << std::flush;
    for (bool is_open = true; is_open;) {
      const auto key = input.next();
      if (!key || *key == 'q') return;
      const std::size_t choice = keys.find(*key);
      is_open = false;
      if (choice != std::string::npos) {
        std::cout << "-> " << printable(labels[choice]) << '\n';
        labeller.answer(labels[choice]);
      } else if (*key == 'k') {
        std::cout << "-> skipped\n";
        labeller.skip();
      } else if (*key == 'u') {
        is_open = !labeller.undo();
        std::cout << (is_open ? "nothing to undo: older answers are learned already\n" : "-> undone\n");
      } else if (*key == 'w') {
        is_open = true;
        std::cout << wrapped(fmt::format("predicted {}; {}", question->prediction, question->why));
      } else {
        is_open = true;
      }
      std::cout << std::flush;
    }
  }
}

int LabelCommand::write_batch(Labeller& labeller) const {
  AtomicFile file(out, &std::cout);
  file.stream() << "id,text,prediction,label\n";
  std::uint64_t count = 0;
  for (; count < batch; ++count) {
    const auto question = labeller.next();
    if (!question) break;
    file.stream() << csv_field(question->item.id) << ',' << csv_field(question->item.text) << ','
                  << csv_field(question->prediction) << ",\n";
    labeller.leave();
  }
  labeller.finish();
  if (count == 0) {
    std::cerr << (labeller.status().is_spent ? "no question: the budget is spent\n"
                                             : "no question: every text was asked or is not worth a label\n");
    return ok;
  }
  file.commit();
  std::cerr << fmt::format("{} question{}; fill the column label in, then: askfew tell {} ANSWERS\n",
                           grouped(count), count == 1 ? "" : "s", options.session.ledger.name());
  return ok;
}

int LabelCommand::operator()() {
  const std::atomic<bool>& interrupted = handle_interrupts();
  if (options.session.ledger.empty()) options.session.ledger = out + ".ledger";
  options.session.doubt = [](const std::string& sentence) { print_notes({sentence}); };
  (batch == 0 ? options.answers : options.questions) = out;
  check_apart(
      std::vector<FilePlace>{{"POOL", options.pool}, {"--seed-labels", options.session.model.seed_labels}},
      std::vector<FilePlace>{
          {"--out", out}, {"--ledger", options.session.ledger.path()}, {"--model", model_path}});
  if (!model_path.empty()) expect_writable(model_path);
  Labeller labeller(options);
  if (batch > 0) return write_batch(labeller);
  ask(labeller, interrupted);
  labeller.finish();
  if (!model_path.empty()) {
    AtomicFile file(model_path);
    write_model(snapshot_of(labeller.model()), file.stream());
    file.commit();
  }
  const LabelStatus status = labeller.status();
  std::cout << fmt::format("\n{} labels in {}; {}\n", grouped(status.answered), out,
                           status.is_spent ? "the budget is spent" : "the same command goes on from here");
  if (status.seeds > 0) {
    std::cout << fmt::format("{} labels that were there before were learned first; no other count has them\n",
                             grouped(status.seeds));
  }
  return interrupted ? interrupted_exit_code() : ok;
}

struct TellCommand {
  TellOptions options;
  std::string model_path;

  int operator()() const;
};

int TellCommand::operator()() const {
  check_apart(std::vector<FilePlace>{{"ANSWERS", options.answers}},
              std::vector<FilePlace>{{"LEDGER", options.ledger.path()}, {"--model", model_path}});
  if (!model_path.empty()) expect_writable(model_path);
  const TellResult result = tell(options);
  for (const auto& [outcome, count] : result.outcomes) {
    std::cout << fmt::format("{:<12} {}\n", outcome, grouped(count));
  }
  if (result.without_label > 0)
    std::cout << fmt::format("{:<12} {}\n", "no label", grouped(result.without_label));
  for (const std::string& why : result.refused)
    std::cerr << "refused " << without_controls(with_flags(why)) << '\n';
  if (result.refusals > result.refused.size()) {
    std::cerr << fmt::format("refused {} more\n", result.refusals - result.refused.size());
  }
  if (!model_path.empty()) {
    AtomicFile file(model_path);
    write_model(snapshot_of(result.live.session->model()), file.stream());
    file.commit();
  }
  return result.refusals > 0 ? bad_data : ok;
}

}  // namespace

void add_label(Command& program, Ending& ending) {
  auto label = std::make_shared<LabelCommand>();
  Command* command = program.add_subcommand("label",
                                            "Label texts at the terminal. askfew chooses the texts and "
                                            "learns from the answers; you can stop at any time.");
  SessionOptions& session = label->options.session;
  command
      ->add_option("POOL", label->options.pool,
                   "file of texts: a CSV table, JSON lines, or one text per line")
      ->required()
      ->check(a_name);
  command
      ->add_option("-o,--out", label->out, "write the answers here; answers that are already there are kept")
      ->required()
      ->check(a_name);
  add_ledger_place(*command, "--ledger", session.ledger, "record every step here (default: OUT.ledger)");
  command->add_option("--model", label->model_path, "write the model here at the end")->check(a_name);
  command
      ->add_option("--batch", label->batch,
                   "write this many questions to OUT instead of asking; answer with askfew tell")
      ->unshown_range(1, 1'000'000)
      ->type_name("N");
  add_live_flags(*command, session.model);
  add_seed_labels_flag(*command, session.model.seed_labels);
  add_table_flags(*command, label->options.table);
  add_max_memory(*command, session.max_memory);
  group_help(*command);
  command->callback([label, &ending] { ending.code = (*label)(); });
}

void add_tell(Command& program, Ending& ending) {
  auto tell = std::make_shared<TellCommand>();
  Command* command = program.add_subcommand(
      "tell", "Learn answers from a table: the labels of questions that are in a ledger.");
  add_ledger_place(*command, "LEDGER", tell->options.ledger, "ledger of askfew stream or label")->required();
  command->add_option("ANSWERS", tell->options.answers, "table with the columns id and label")
      ->required()
      ->check(a_name);
  command->add_option("--model", tell->model_path, "write the model here")->check(a_name);
  add_max_memory(*command, tell->options.max_memory);
  command->callback([tell, &ending] { ending.code = (*tell)(); });
}

}  // namespace askfew::cli
