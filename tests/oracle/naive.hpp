#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>

namespace gdsim::oracle {

/// The tables of a run, byte for byte as `gdsim run -o` writes them.
struct Tables {
  std::string timeline;
  std::string cores;
  std::string phases;
  std::string work_groups;
  std::string launches;
  std::string kernels;
  std::string group_states;
  std::string summary;     ///< the part that comparable_summary() compares
  std::string slices;      ///< only of processes that have the device one at a time
  std::string time_spent;  ///< no file: see time_use.hpp
};

/// Runs `workload` on `device`, dispatched by `rules`, in the simplest way: one event per thread, and every decision
/// made by visiting all objects. The children of the launches must have been added, and the device must accept every
/// kernel.
Tables naive_run(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload);

}  // namespace gdsim::oracle
