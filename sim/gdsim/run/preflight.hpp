#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Something for which a run cannot start, and where the user wrote it.
struct Objection {
  enum class Subject : std::uint8_t { dispatch, kernel, launch, queue };

  Subject subject{};
  std::size_t index = 0;  ///< of the kernel, launch or queue
  std::string field;      ///< within the subject, e.g. `local`, `program.0`, `variation.work_groups.6`
  std::string code;       ///< stable name if the device refuses the kernel, see kRefusalCodes
  std::string message;
  std::vector<std::size_t> others{};  ///< of the same kind, all that take part in it, if it is about several
};

/// What is wrong with one part, whatever the others are like.
std::vector<Objection> object_to_dispatch(const DispatchRules& rules, const PolicyCatalog& policies);
std::vector<Objection> object_to_timing(const DeviceSpec& device, const DispatchRules& rules);
std::vector<Objection> object_to_range(const Kernel& kernel, std::size_t index);
/// The kernel's range has no fault.
std::vector<Objection> object_to_needs(const Kernel& kernel, std::size_t index, const DeviceSpec& device);
std::vector<Objection> object_to_program(const Kernel& kernel, std::size_t index, const DeviceSpec& device);
/// Kernels that would launch each other for ever, or children of children beyond any use.
std::vector<Objection> object_to_children(const std::vector<Kernel>& kernels);
/// Launches that are called like a child of others. The children were added.
std::vector<Objection> object_to_names(const Workload& workload);
/// The launches name kernels that have no fault of their own, and there is no objection to children.
std::vector<Objection> object_to_totals(const Workload& workload);

/// Everything for which this workload cannot run on this device, before any time passes.
std::vector<Objection> preflight(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                                 const PolicyCatalog& policies);

}  // namespace gdsim
