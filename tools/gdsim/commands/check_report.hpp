#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/expectations/expectations.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include "terminal/program.hpp"

#include <string>
#include <vector>

namespace gdsim::cli {

/// One expectation, evaluated.
struct CheckedItem {
  std::string key;
  std::string source;
  ExpectationStatus status = ExpectationStatus::must_hold;
  std::string place;  ///< FILE:LINE:COLUMN
  ExpectationResult verdict;
};

/// One case of a file, evaluated.
struct CheckedCase {
  std::string name;          ///< empty if the file has no cases
  std::string deadlock;      ///< why it deadlocked unexpectedly; else empty
  std::string interruption;  ///< why its run stopped early, so that nothing was evaluated; else empty
  std::vector<CheckedItem> items;
};

/// One scenario file, evaluated.
struct CheckedFile {
  std::string file;
  std::vector<CheckedCase> cases;
  std::vector<std::string> errors;  ///< bad input or a defect: nothing was evaluated
  ExitStatus status = ExitStatus::done;
};

struct CheckCounts {
  std::size_t passed = 0;  ///< including known gaps
  std::size_t known_gaps = 0;
  std::size_t missed = 0;
};
CheckCounts count_items(const std::vector<CheckedFile>& files);

/// For a person; colors mark what passed and what did not.
std::string check_text(const std::vector<CheckedFile>& files, bool colored);
std::string check_json(const std::vector<CheckedFile>& files);
/// JUnit XML, as CI servers read it.
std::string check_junit(const std::vector<CheckedFile>& files);

}  // namespace gdsim::cli
