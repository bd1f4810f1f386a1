// Runs a harness on a fixed number of seeded mutations: the same inputs on every machine, with any compiler.
//
//   fuzz_NAME [--seed S] [--iterations N]   the bounded run of ctest
//   fuzz_NAME [--seed S] --only N           one input of this run again, in this process, for a debugger
//   fuzz_NAME FILE...                       the inputs in files
//   fuzz_NAME --write-seeds FOLDER          a first corpus for libFuzzer

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/harness.h"
#include "tests/fuzz/mutator.h"

namespace askfew::fuzz {
namespace {

constexpr unsigned hang_seconds = 120;  // every input takes less than a second

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t iterations = 20000;
  std::optional<std::uint64_t> only;
  std::string seeds_folder;
  std::vector<std::string> files;
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string_view name = argv[k];
    if (!name.starts_with("--")) {
      options.files.emplace_back(name);
      continue;
    }
    if (++k == argc) return std::nullopt;
    if (name == "--seed") {
      options.seed = std::strtoull(argv[k], nullptr, 10);
    } else if (name == "--iterations") {
      options.iterations = std::strtoull(argv[k], nullptr, 10);
    } else if (name == "--only") {
      options.only = std::strtoull(argv[k], nullptr, 10);
    } else if (name == "--write-seeds") {
      options.seeds_folder = argv[k];
    } else {
      return std::nullopt;
    }
  }
  return options;
}

void run_one(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void write_seeds(const std::string& folder) {
  std::filesystem::create_directories(folder);
  const std::vector<std::string> all = seeds();
  for (std::size_t k = 0; k < all.size(); ++k) write(folder + "/seed-" + std::to_string(k), all[k]);
}

/// Runs the iterations in a child process that notes its current input. If a sanitizer, a signal or the
/// kernel ends the child, the parent can name the input.
int watch(const Options& options, const std::string& program) {
  void* shared =
      mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  FUZZ_CHECK(shared != MAP_FAILED);
  auto* at = static_cast<volatile std::uint64_t*>(shared);
  const std::vector<std::string> first = seeds();
  const pid_t child = fork();
  FUZZ_CHECK(child >= 0);
  if (child == 0) {
    for (std::uint64_t n = 0; n < options.iterations; ++n) {
      *at = n;
      alarm(hang_seconds);
      run_one(mutated(first, options.seed, n));
    }
    return 0;
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
  const std::uint64_t n = *at;
  const std::string name = std::filesystem::path(program).filename();
  const std::string saved = name + "-" + std::to_string(options.seed) + "-" + std::to_string(n) + ".input";
  write(saved, mutated(first, options.seed, n));
  std::cerr << name << ": iteration " << n << " of seed " << options.seed << " ended with "
            << (WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "an error") << "; its input is in "
            << saved << "\nreplay: " << program << " --seed " << options.seed << " --only " << n << '\n';
  return 1;
}

}  // namespace
}  // namespace askfew::fuzz

int main(int argc, char** argv) {
  using namespace askfew::fuzz;
  const auto options = parse(argc, argv);
  if (!options) {
    std::cerr << "usage: " << argv[0]
              << " [--seed S] [--iterations N] [--only N] [--write-seeds FOLDER] [FILE...]\n";
    return 2;
  }
  if (!options->seeds_folder.empty()) {
    write_seeds(options->seeds_folder);
  } else if (!options->files.empty()) {
    for (const std::string& path : options->files) run_one(content(path));
  } else if (options->only) {
    run_one(mutated(seeds(), options->seed, *options->only));
  } else {
    return watch(*options, argv[0]);
  }
  return 0;
}
