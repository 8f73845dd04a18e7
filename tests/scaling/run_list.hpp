#pragma once

#include <string>
#include <vector>

// The runs that are measured, as files in a folder: scenarios, and `runs.csv` with a line for each run.

namespace gdsim::scaling {

struct Run {
  std::vector<std::string> command;  ///< words behind `gdsim`
  bool is_smallest;                  ///< start-up is measured
  std::string name;                  ///< key, rules, count and size, as `read_counts()` reads them
};

enum class Selection { brief, all };

/// Writes the runs of all keys that have the word in their name; the exit status.
int write_runs(const std::string& folder, Selection selection, const std::string& word);

std::vector<Run> read_runs(const std::string& folder);

std::string text_of_file(const std::string& file);

}  // namespace gdsim::scaling
