#pragma once

#include <string>
#include <vector>

namespace gdsim::playground {

/// A file that was dropped onto the page.
struct DroppedFile {
  std::string name;  ///< without folders
  std::string bytes;
};

/// Executes `gdsim import FILES WORDS`. If a file is PTX, so is `--program` given, and another file beside it is that
/// of `--cubin`. Returns JSON: `problems` and `more` as of answer_json(); the scenario's `text`, and `file`, a name for
/// it; `report`, sentences on what was read, assumed and left out.
std::string import_json(const std::vector<DroppedFile>& files, const std::vector<std::string>& words);

}  // namespace gdsim::playground
