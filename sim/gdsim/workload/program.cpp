#include <gdsim/workload/program.hpp>

#include <algorithm>

namespace gdsim {

bool has_barrier(const Program& program) {
  return std::any_of(program.begin(), program.end(),
                     [](const Step& step) { return std::holds_alternative<Barrier>(step); });
}

}  // namespace gdsim
