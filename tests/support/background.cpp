#include "background.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace gdsim::testing {

Background::Background(const std::vector<std::string>& words, const std::string& out) : child_(fork()) {
  if (child_ < 0) throw std::runtime_error("cannot start a program");
  if (child_ > 0) return;
  const std::string program = GDSIM_BINARY_ROOT "/tools/gdsim";
  std::vector<char*> arguments{const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  execv(program.c_str(), arguments.data());
  _exit(127);
}

Background::~Background() {
  if (!is_running()) return;
  signal(SIGKILL);
  wait();
}

bool Background::is_running() {
  if (status_ >= 0) return false;
  int state = 0;
  if (waitpid(child_, &state, WNOHANG) == 0) return true;
  take(state);
  return false;
}

void Background::signal(int number) const {
  if (status_ < 0) kill(child_, number);
}

int Background::wait() {
  if (status_ >= 0) return status_;
  int state = 0;
  waitpid(child_, &state, 0);
  take(state);
  return status_;
}

void Background::take(int state) { status_ = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state); }

}  // namespace gdsim::testing
