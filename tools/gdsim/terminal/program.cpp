#include "terminal/program.hpp"

#include "commit.hpp"

#include <algorithm>
#include <array>

namespace gdsim::cli {

const char* version_number() { return GDSIM_VERSION; }

std::string version_text() {
  const std::string commit = GDSIM_COMMIT;
  return std::string("gdsim ") + version_number() + (commit.empty() ? "" : " (commit " + commit + ")");
}

ExitStatus worse(ExitStatus a, ExitStatus b) {
  constexpr std::array by_gravity{ExitStatus::defect,  ExitStatus::interrupted,        ExitStatus::bad_input,
                                  ExitStatus::stalled, ExitStatus::expectation_missed, ExitStatus::done};
  return std::min(std::find(by_gravity.begin(), by_gravity.end(), a),
                  std::find(by_gravity.begin(), by_gravity.end(), b))[0];
}

}  // namespace gdsim::cli
