#pragma once

#include <gdsim/base/diagnostic.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// The problems of a scenario file: its own, and those found when its cases are read one by one.
class CaseProblems {
 public:
  /// Returns the problems of the file as a whole, to which callers add.
  Diagnostics& of_file() { return of_file_; }
  /// Adds the problems found in one case. A problem that all cases share is found in each of them.
  void add_case(const std::string& name, const Diagnostics& found) { cases_.push_back({name, found.problems()}); }

  bool empty() const;
  /// Returns every problem once, in the order of the files' lines. A problem of only some cases names those cases.
  std::vector<Diagnostic> merged() const;

 private:
  struct OfCase {
    std::string name;
    std::vector<Diagnostic> problems;
  };

  Diagnostics of_file_;
  std::vector<OfCase> cases_;
};

}  // namespace gdsim
