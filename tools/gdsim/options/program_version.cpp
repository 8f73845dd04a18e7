#include "options/program_version.hpp"

#include "commit.hpp"

namespace gdsim::cli {

const char* version_number() { return GDSIM_VERSION; }

std::string version_text() {
  const std::string commit = GDSIM_COMMIT;
  return std::string("gdsim ") + version_number() + (commit.empty() ? "" : " (commit " + commit + ")");
}

}  // namespace gdsim::cli
