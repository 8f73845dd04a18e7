#include <gdsim/program/program_plans.hpp>

#include <gdsim/workload/group_programs.hpp>

namespace gdsim {

ProgramPlans::ProgramPlans(const std::vector<Kernel>& kernels, const DeviceSpec& device) {
  std::size_t count = 0;
  for (const Kernel& kernel : kernels) count += kernel.program_count();
  plans_.reserve(count);
  for (const Kernel& kernel : kernels) {
    first_.push_back(plans_.size());
    of_group_.emplace_back(kernel.group_programs.of_group);
    for_each_program(kernel, [&](const ProgramOfGroups& one) {
      plans_.emplace_back(one.kernel, device);
      return true;
    });
  }
  first_.push_back(plans_.size());
}

}  // namespace gdsim
