// SPDX-License-Identifier: Apache-2.0
#include "gradus/serve/children.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gradus/core/error.h"
#include "gradus/serve/folders.h"

namespace gradus::serve {
namespace {

constexpr int kInterrupted = 130;  // the exit code after a signal, when everything is saved
constexpr int kEarlyLooks = 60;    // at a process that has just started
constexpr useconds_t kEarlyPause = 20'000;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

// A file without a name that contains `text`, open at its beginning.
int file_of(const std::string& text) {
  const int file = ::memfd_create("gradus", MFD_CLOEXEC);
  if (file < 0) fail(errno, "memfd_create");
  if (::pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    const int error = errno;
    ::close(file);
    fail(error, "memfd");
  }
  return file;
}

// The new process has a session of its own, so that Ctrl-C at the server does not reach it, and
// handles signals as usual.
pid_t spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
            int input, const std::filesystem::path& log) {
  std::vector<char*> words = {const_cast<char*>("gradus")};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0666);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t process = -1;
  const int error =
      ::posix_spawn(&process, program.c_str(), &files, &attributes, words.data(), ::environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) fail(error, "cannot start " + program.string());
  return process;
}

// Whether the process did its work, or someone stopped it meanwhile.
bool ended_well(int status) {
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGINT;
  return WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kInterrupted;
}

std::string last_line(const std::filesystem::path& log) {
  std::string text = end_of_file(log, 4096);
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

void Children::start(const std::vector<std::string>& arguments, const std::string& input,
                     const std::filesystem::path& log) {
  const int file = file_of(input);
  pid_t process = -1;
  try {
    process = spawn(program_, arguments, file, log);
  } catch (...) {
    ::close(file);
    throw;
  }
  ::close(file);
  for (int i = 0; i < kEarlyLooks; ++i) {
    int status = 0;
    if (::waitpid(process, &status, WNOHANG) == process) {
      if (ended_well(status)) return;
      const std::string line = last_line(log);
      throw InputError(line.empty() ? "the process ended at once, without a message" : line);
    }
    ::usleep(kEarlyPause);
  }
  const std::lock_guard lock(mutex_);
  processes_.push_back(process);
}

void Children::collect() {
  const std::lock_guard lock(mutex_);
  std::erase_if(processes_,
                [](pid_t process) { return ::waitpid(process, nullptr, WNOHANG) != 0; });
}

}  // namespace gradus::serve
