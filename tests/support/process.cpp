#include "process.hpp"

#include "temporary_folder.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

namespace gdsim::testing {
namespace {

const char* const kProgram = GDSIM_BINARY_ROOT "/tools/gdsim";

/// Called only between fork and exec: becomes the program. Its outputs go to two files; an output without a file stays.
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

std::string gdsim_output(const std::vector<std::string>& words) {
  const Ran ran = run_gdsim(words);
  if (ran.status != 0)
    throw std::runtime_error("gdsim ended with " + std::to_string(ran.status) + ", not with 0:\n" + ran.err);
  return ran.out;
}

std::string gdsim_refusal(const std::vector<std::string>& words) {
  const Ran ran = run_gdsim(words);
  if (ran.status != 2 || !ran.out.empty())
    throw std::runtime_error("gdsim ended with " + std::to_string(ran.status) +
                             ", not refused with 2 and no output:\n" + ran.out + ran.err);
  return ran.err;
}

Ran run_gdsim_until_signal(int signal, std::vector<std::string> words) {
  words.insert(words.begin(), {GDSIM_BINARY_ROOT "/tests/gdsim_interrupting", std::to_string(signal)});
  return run_program(words);
}

namespace {

/// Written to the terminal after a program's output: all text before it is the program's.
constexpr std::string_view kEnd = "\x04 end of what the program wrote\n";

/// Returns all text that a terminal is sent before kEnd.
std::string read_terminal(int terminal) {
  std::string text;
  char buffer[4096];
  while (text.find(kEnd.substr(0, kEnd.size() - 1)) == std::string::npos) {
    const ssize_t count = read(terminal, buffer, sizeof buffer);
    if (count <= 0) throw std::runtime_error("a terminal cannot be read");
    text.append(buffer, static_cast<std::size_t>(count));
  }
  text.erase(text.find(kEnd.substr(0, kEnd.size() - 1)));
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

Ran run_on_terminal(const std::string& program, std::vector<std::string> words, OnTerminal which,
                    const std::vector<std::string>& environment) {
  const TemporaryFolder folder;
  const std::string err = (folder.path() / "err").string();
  words.insert(words.begin(), program);
  int terminal = -1;
  int programs_side = -1;
  if (openpty(&terminal, &programs_side, nullptr, nullptr, nullptr) != 0)
    throw std::runtime_error("cannot open a terminal");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a program");
  if (child == 0) {
    close(terminal);
    login_tty(programs_side);
    setenv("TERM", "xterm", 1);
    become(words, environment, {}, which == OnTerminal::out ? err : std::string());
  }
  // The other side stays open until all is read: a terminal may drop unread output when it is closed.
  int state = 0;
  std::thread end([&] {
    waitpid(child, &state, 0);
    if (write(programs_side, kEnd.data(), kEnd.size()) < 0) std::terminate();
  });
  const std::string out = read_terminal(terminal);
  end.join();
  close(programs_side);
  close(terminal);
  return {WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state), out,
          which == OnTerminal::out ? read_file(err) : std::string()};
}

Ran run_gdsim_on_terminal(std::vector<std::string> words, const std::vector<std::string>& environment) {
  return run_on_terminal(kProgram, std::move(words), OnTerminal::out, environment);
}

}  // namespace gdsim::testing
