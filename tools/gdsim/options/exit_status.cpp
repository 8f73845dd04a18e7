#include "options/exit_status.hpp"

#include <algorithm>
#include <array>

namespace gdsim::cli {

ExitStatus worse(ExitStatus a, ExitStatus b) {
  constexpr std::array by_gravity{ExitStatus::defect,  ExitStatus::interrupted,        ExitStatus::bad_input,
                                  ExitStatus::stalled, ExitStatus::expectation_missed, ExitStatus::done};
  return std::min(std::find(by_gravity.begin(), by_gravity.end(), a),
                  std::find(by_gravity.begin(), by_gravity.end(), b))[0];
}

}  // namespace gdsim::cli
