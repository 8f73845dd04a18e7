#pragma once

#include <string>
#include <string_view>
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
  std::vector<KeyEntry> keys;
};

/// Return every key of a scenario and of a device model. An inline `device:` has the keys of a model. Each mapping is
/// listed once, at its first place: the body of a loop has the steps of a program.
std::vector<KeySection> scenario_keys();
std::vector<KeySection> device_keys();

/// The JSON Schemas of scenarios and of device models, embedded at build time.
std::string_view scenario_schema_text();
std::string_view device_schema_text();
/// The terms of gdsim, SYCL, CUDA, HIP and VTune side by side: words.txt.
std::string_view words_text();
/// The outputs of a run: outputs.txt. A line `@NAME...` stands for the tables NAME.csv, which share their columns.
std::string_view outputs_text();

}  // namespace gdsim::cli
