#include "scaling/judge.hpp"
#include "scaling/run_list.hpp"
#include "scaling/scaling_case.hpp"

#include "command_line.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

// What `tools/test scaling` runs (scaling.sh):
//   scaling_runs write FOLDER short|all [WORD]    writes scenarios, of keys with WORD in their name, and
//   FOLDER/runs.csv scaling_runs measure FOLDER JOBS              makes each run in a process of its own, JOBS at once;
//   Valgrind counts scaling_runs judge COUNTS [TABLE]             says which bounds are exceeded; writes the table

namespace {

using namespace gdsim;
using namespace gdsim::scaling;

/// What the program prints goes nowhere; the stream is where standard output was.
std::FILE* take_standard_output() {
  std::FILE* before = fdopen(dup(STDOUT_FILENO), "w");
  const int nowhere = open("/dev/null", O_WRONLY);
  if (before == nullptr || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) throw std::runtime_error("no /dev/null");
  return before;
}

/// As a user calls it.
int status_of(const Run& run) {
  std::vector<const char*> words{"gdsim"};
  for (const std::string& word : run.command) words.push_back(word.c_str());
  return cli::command_line(static_cast<int>(words.size()), words.data(), cli::all_commands(), InternalRunOptions{});
}

/// A run under Valgrind takes a few seconds at most, and what takes minutes is wrong by far.
void end_if_endless() {
  constexpr rlimit minutes{300, 300};
  setrlimit(RLIMIT_CPU, &minutes);
}

/// One line for each run: its process, its exit status, and its name.
int measure(const std::string& folder, unsigned jobs) {
  const std::vector<Run> runs = read_runs(folder);
  std::FILE* out = take_standard_output();
  // Valgrind translates the program here, once, instead of in each process.
  for (const Run& run : runs)
    if (run.is_smallest) status_of(run);
  std::map<pid_t, const Run*> running;
  const auto wait_for_one = [&] {
    int status = 0;
    const pid_t process = wait(&status);
    const auto ended = running.find(process);
    if (ended == running.end()) throw std::runtime_error("no process to wait for");
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    std::fprintf(out, "%d,%d,%s\n", static_cast<int>(process), code, ended->second->name.c_str());
    std::fflush(out);
    running.erase(ended);
  };
  for (const Run& run : runs) {
    if (running.size() >= jobs) wait_for_one();
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("no process for another run");
    if (process == 0) {
      end_if_endless();
      std::_Exit(status_of(run));
    }
    running[process] = &run;
  }
  while (!running.empty()) wait_for_one();
  return 0;
}

int judge(const std::string& file, const char* table) {
  const std::vector<Counts> all = read_counts(text_of_file(file));
  std::size_t failures = 0;
  for (const Counts& counts : all) {
    const bool is_of_pairs = growth_of(counts.key, counts.rules) == Growth::pairs;
    const auto sentences = exceeded(counts, is_of_pairs ? kMostPerDoublingOfPairs : kMostPerDoubling);
    if (sentences.empty()) continue;
    ++failures;
    std::cout << counts.key << ", " << counts.rules << "\n";
    for (const std::string& sentence : sentences) std::cout << "    " << sentence << "\n";
  }
  if (table != nullptr) std::ofstream(table) << table_of(all);
  std::cout << "scaling: " << all.size() << " rows, " << failures << " exceed a bound\n";
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.size() >= 3 && words[0] == "write")
      return write_runs(words[1], words[2] == "short" ? Selection::brief : Selection::all,
                        words.size() > 3 ? words[3] : "");
    if (words.size() == 3 && words[0] == "measure")
      return measure(words[1], static_cast<unsigned>(std::stoul(words[2])));
    if (words.size() >= 2 && words[0] == "judge") return judge(words[1], words.size() > 2 ? argv[3] : nullptr);
  } catch (const std::exception& error) {
    std::cerr << "scaling_runs: " << error.what() << "\n";
    return 2;
  }
  std::cerr << "scaling_runs: write FOLDER short|all [WORD], measure FOLDER JOBS, or judge COUNTS [TABLE]\n";
  return 2;
}
