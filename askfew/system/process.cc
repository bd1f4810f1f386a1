#include "askfew/system/process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

/// The environment of the new program: descriptors, folder, default signal handling.
class Surroundings {
 public:
  explicit Surroundings(const Process& process) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    connect(process.input, STDIN_FILENO, O_RDONLY);
    connect(process.output, STDOUT_FILENO, O_WRONLY);
    connect(process.errors, STDERR_FILENO, O_WRONLY);
    if (!process.folder.empty()) {
      posix_spawn_file_actions_addchdir_np(&actions_, process.folder.c_str());
    }
    // Otherwise the new program would ignore the signals that this program ignores.
    sigset_t usual;
    sigemptyset(&usual);
    for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~Surroundings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  Surroundings(Surroundings&&) = delete;
  Surroundings& operator=(Surroundings&&) = delete;

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  void connect(int from, int to, int flags) {
    if (from >= 0) {
      posix_spawn_file_actions_adddup2(&actions_, from, to);
    } else {
      posix_spawn_file_actions_addopen(&actions_, to, "/dev/null", flags, 0);
    }
  }

  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

int run_process(const Process& process, const std::atomic<bool>* stop) {
  std::vector<char*> arguments;
  for (const std::string& argument : process.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));  // posix_spawn does not change them
  }
  arguments.push_back(nullptr);
  const Surroundings surroundings(process);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], surroundings.actions(), surroundings.attributes(),
                                 arguments.data(), environ);
  if (error != 0) {
    throw FileError(process.arguments[0] + ": cannot be started: " + std::strerror(error));
  }
  constexpr auto between_looks = std::chrono::milliseconds(2);
  bool was_told = false;
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
    if (stop != nullptr && *stop && !was_told) {
      was_told = true;
      kill(child, SIGTERM);
    }
    std::this_thread::sleep_for(between_looks);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace askfew
