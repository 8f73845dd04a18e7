#include "process.hpp"

#include "temporary_folder.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace gdsim::testing {
namespace {

const char* const kProgram = GDSIM_BINARY_ROOT "/tools/gdsim";

/// Only between fork and exec: becomes the program, its output going to two files; where none is named, it stays.
[[noreturn]] void become(const std::vector<std::string>& words, const std::vector<std::string>& environment,
                         const std::string& out, const std::string& err) {
  const auto redirect = [](const std::string& file, int descriptor) {
    dup2(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), descriptor);
  };
  if (!out.empty()) redirect(out, STDOUT_FILENO);
  if (!err.empty()) redirect(err, STDERR_FILENO);
  for (const std::string& entry : environment)
    setenv(entry.substr(0, entry.find('=')).c_str(), entry.substr(entry.find('=') + 1).c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

Ran run_program(const std::vector<std::string>& words, const std::vector<std::string>& environment) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::string err = (folder.path() / "err").string();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a program");
  if (child == 0) become(words, environment, out, err);
  int state = 0;
  waitpid(child, &state, 0);
  return {WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state), read_file(out), read_file(err)};
}

Ran run_shell(const std::string& line) {
  return run_program({"/bin/sh", "-c", line}, {std::string("GDSIM=") + kProgram});
}

Ran run_gdsim(std::vector<std::string> words, const std::vector<std::string>& environment) {
  words.insert(words.begin(), kProgram);
  return run_program(words, environment);
}

namespace {

/// All that a terminal is sent until its other side is closed.
std::string read_terminal(int terminal) {
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  close(terminal);
  for (std::size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

}  // namespace

bool has_terminals() {
  int leader = -1;
  int follower = -1;
  if (openpty(&leader, &follower, nullptr, nullptr, nullptr) != 0) return false;
  close(leader);
  close(follower);
  return true;
}

Ran run_gdsim_on_terminal(std::vector<std::string> words, OnTerminal which,
                          const std::vector<std::string>& environment) {
  const TemporaryFolder folder;
  const std::string err = (folder.path() / "err").string();
  words.insert(words.begin(), kProgram);
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child < 0) throw std::runtime_error("cannot open a terminal");
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    become(words, environment, {}, which == OnTerminal::out ? err : std::string());
  }
  const std::string out = read_terminal(terminal);
  int state = 0;
  waitpid(child, &state, 0);
  return {WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state), out,
          which == OnTerminal::out ? read_file(err) : std::string()};
}

}  // namespace gdsim::testing
