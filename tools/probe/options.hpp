// The command line. All errors are reported at once.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

namespace probe {

struct Options {
  enum class Task { measure, list, layout, dry_run, help };
  Task task = Task::measure;
  std::string output;
  std::vector<std::string> only;
  int device = 0;
  double budget_seconds = 60;
};

inline const char* usage() {
  return "usage: probe [--output FOLDER] [--device N] [--only NAME,...] [--budget SECONDS]\n"
         "       probe --dry-run [--device N] [--only NAME,...]\n"
         "       probe --list | --layout | --help\n"
         "\n"
         "Measures how this GPU dispatches blocks, and how fast its memories are. Writes CSV tables.\n"
         "\n"
         "  --output FOLDER   where to write them; must not exist or be empty (default: probe-output)\n"
         "  --device N        which GPU, from 0 (default: 0)\n"
         "  --only NAME,...   only these experiments\n"
         "  --budget SECONDS  an experiment that could exceed this much GPU time is skipped (default: 60)\n"
         "  --dry-run         print what would be launched, and how long it takes at most; works without a GPU\n"
         "  --list            print the names of the experiments\n"
         "  --layout          print the columns of all tables\n"
         "\n"
         "Exit status: 0 measured, 1 something failed, 2 the command line is wrong.\n";
}

inline std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> names(1);
  for (const char letter : list) {
    if (letter == ',') {
      names.emplace_back();
    } else {
      names.back() += letter;
    }
  }
  return names;
}

/// Returns the errors, one per line; empty if there are none.
inline std::string read_options(int count, char** words, const std::vector<std::string>& experiments,
                                Options& options) {
  std::string wrong;
  for (int i = 1; i < count; ++i) {
    const std::string name = words[i];
    if (name == "--list") {
      options.task = Options::Task::list;
    } else if (name == "--layout") {
      options.task = Options::Task::layout;
    } else if (name == "--dry-run") {
      options.task = Options::Task::dry_run;
    } else if (name == "--help" || name == "-h") {
      options.task = Options::Task::help;
    } else if (name == "--output" || name == "--device" || name == "--only" || name == "--budget") {
      const std::string value = i + 1 < count ? words[++i] : "";
      char* end = nullptr;
      if (value.empty()) {
        wrong += "error: " + name + " needs a value\n";
      } else if (name == "--output") {
        options.output = value;
      } else if (name == "--device") {
        const long number = std::strtol(value.c_str(), &end, 10);
        if (*end != 0 || number < 0 || number > 1023) wrong += "error: --device is '" + value + "', not 0 to 1023\n";
        options.device = static_cast<int>(number);
      } else if (name == "--budget") {
        options.budget_seconds = std::strtod(value.c_str(), &end);
        if (*end != 0 || !(options.budget_seconds > 0 && options.budget_seconds <= 3600)) {
          wrong += "error: --budget is '" + value + "', not more than 0 and at most 3600 seconds\n";
        }
      } else {
        options.only = split(value);
      }
    } else {
      wrong += "error: '" + name + "' is no option; `probe --help` lists them\n";
    }
  }
  for (const std::string& chosen : options.only) {
    bool known = false;
    std::string all;
    for (const std::string& experiment : experiments) {
      known = known || experiment == chosen;
      all += (all.empty() ? "" : ", ") + experiment;
    }
    if (!known) wrong += "error: '" + chosen + "' is no experiment; there are: " + all + "\n";
  }
  return wrong;
}

}  // namespace probe
