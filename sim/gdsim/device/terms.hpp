#pragma once

#include <string>

namespace gdsim {

/// A vendor's words for the same things. Code and files use the neutral words; reports print these.
struct Terms {
  std::string core = "core";
  std::string engine = "engine";
  std::string context = "context";
  std::string thread = "thread";
  std::string work_group = "work-group";
  std::string slm = "SLM";
};

}  // namespace gdsim
