#pragma once

#include <string>
#include <vector>

namespace gdsim::playground {

/// What the command `gdsim import` writes in the playground, which has neither files of its own nor a terminal.
struct KeptImport {
  std::string text;                 ///< a scenario, or a device
  std::vector<std::string> report;  ///< what was read, assumed and left out, a sentence each
};

/// The one into which the command writes.
KeptImport& kept_import();

}  // namespace gdsim::playground
