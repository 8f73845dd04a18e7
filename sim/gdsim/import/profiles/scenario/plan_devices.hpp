#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/workload/kernel.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Returns what a kernel of NCCL or RCCL does, by its name: `AllReduce` for
/// `ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)`. Empty if the name does not say. Returns nullopt for other kernels.
std::optional<std::string> collective_named(std::string_view kernel);

/// Makes the plan one of several devices that all repeat what was measured on one. With a link, kernels that are
/// collectives by name become collectives if the file has their bytes. All others remain kernels of measured duration;
/// they end together because all devices do the same. Notes give the numbers.
void plan_devices(const Profile& profile, const PlannedDevices& devices, ProfilePlan& plan);

/// Measured starts include the time of host and driver. Sets submit_overhead, launch_latency and dependency_gap of the
/// device to 0 if they are not.
void drop_host_times(const Profile& profile, DeviceSpec& device, std::vector<DeviceOverride>& overrides);

/// Gives the device's copy engines the highest bandwidth of a large copy in the profile, so that no copy takes longer
/// than measured, and sets their number to the profile's simultaneous copies. If neither is known, the model's values
/// stay; a missing bandwidth is assumed. Does nothing if there is no copy.
void fit_copies(const Profile& profile, DeviceSpec& device, std::vector<DeviceOverride>& overrides);

/// The cost of a launch on the device, both parts; 0 if there is none, or if it is not in force.
Duration launch_cost_of(const DeviceSpec& device);

/// The time between the release of a core's resources and their reuse; 0 if there is none.
Duration recovery_of(const DeviceSpec& device);

/// Returns true if all groups of cores of each level have equally many cores.
bool has_equal_groups(const DeviceSpec& device);

/// Limits the cost of a launch on the device to `most`, scaling both parts in proportion.
void lower_launch_cost(DeviceSpec& device, Duration most, const std::string& why,
                       std::vector<DeviceOverride>& overrides);

// Rule: figures of the driver.
//
// Newer exports of Nsight Systems hold two figures that the driver computed for a launch. They change nothing in the
// scenario; where the model says otherwise, a note has both.
//
// 1. maxActiveClusters, of a launch with clusters: how many are resident at once on the whole device. The model's
//    figure is that of `gdsim occupancy --cluster`.
// 2. sharedMemoryExecuted: the bytes of each core that the driver set aside as shared memory. They are one of the
//    model's `pools`, and as many work-groups fit in them as the model holds, which sets aside what these need. Bytes
//    in which not even one work-group fits cannot be what the launch ran with: drivers report such for some kernels.

/// The figures of the driver for launches of one shape; each set is empty if the file has none.
struct DriverFigures {
  std::set<std::uint32_t> active_clusters;
  std::set<std::uint32_t> slm_of_core;

  void add(const ProfiledLaunch& launch);
};

/// Returns a sentence, which continues `NAME: `, for each figure that the model of the kernel on the device
/// contradicts.
std::vector<std::string> driver_notes(const DriverFigures& figures, const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
