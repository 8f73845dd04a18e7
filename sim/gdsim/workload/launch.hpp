#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// One run of a kernel. Ready at `at`, or when all of `after` have ended, whichever is later.
struct Launch {
  std::string name;
  KernelId kernel{};
  Picoseconds at;
  std::vector<LaunchId> after;
};

}  // namespace gdsim
