#pragma once

#include <gdsim/base/diagnostic.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// The problems of a scenario file: its own, and those that show when its cases are read one by one.
class CaseProblems {
 public:
  /// What concerns the file as a whole is added here.
  Diagnostics& of_file() { return of_file_; }
  /// What was found in one case; what all cases have in common is found in each.
  void add_case(const std::string& name, const Diagnostics& found) { cases_.push_back({name, found.problems()}); }

  bool empty() const;
  /// Every problem once, in the order of the files' lines. One that only some cases have names them.
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
