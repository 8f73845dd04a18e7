#include <gdsim/workload/workload.hpp>

namespace gdsim {

const Kernel& Workload::no_kernel() {
  static const Kernel kernel = [] {
    Kernel nothing;
    nothing.range.global = {0, 1, 1};
    nothing.sub_group = 1;
    return nothing;
  }();
  return kernel;
}

}  // namespace gdsim
