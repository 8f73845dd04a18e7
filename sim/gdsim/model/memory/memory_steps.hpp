#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/model/memory/memory_mix.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/workload/workload.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace gdsim {

/// The bytes of a kernel's working set that each of its work-groups has, and that all of a launch share; 0: none.
struct KernelWorkingSet {
  std::int64_t of_work_group = 0;
  std::int64_t of_launch = 0;
};
KernelWorkingSet working_set_of(const Kernel& kernel);

/// The distinct kinds of the memory steps of all programs.
struct MemorySteps {
  std::vector<MemoryKind> kinds;
  /// By plan and op: the number of its kind if the threads are served last, and if first. 0 for other ops.
  std::vector<std::vector<std::array<std::uint32_t, 2>>> kind_of;
};
/// The device has a memory.
MemorySteps memory_steps_of(const DeviceSpec& device, const Workload& workload, const ProgramPlans& plans);

}  // namespace gdsim
