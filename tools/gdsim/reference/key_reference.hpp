#pragma once

#include <string>
#include <vector>

namespace gdsim::cli {

/// One key of a file, as its schema describes it.
struct KeyEntry {
  std::string name;
  std::string description;  ///< a sentence or two
  std::string allowed;      ///< words and the range of a number, `whole | partial`; empty: as the description says
  std::string example;      ///< a line of a file, `admission: partial`
  bool is_required = false;
};

/// The keys of one mapping of a file.
struct KeySection {
  std::string path;  ///< `kernels.NAME.program[]`; empty: the outermost mapping
  std::string description;
  std::vector<KeyEntry> keys;
};

/// Return every key of a scenario and of a device model. An inline `device:` has the keys of a model. Each mapping is
/// listed once, at its first place: the body of a loop has the steps of a program.
std::vector<KeySection> scenario_keys();
std::vector<KeySection> device_keys();

}  // namespace gdsim::cli
