#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>

// The resources that a work-group takes from a core, rule by rule.

namespace gdsim::oracle {

struct World;
struct Core;
struct Group;

/// The held resources of one engine of a core.
struct EngineHolds {
  std::uint64_t threads = 0;
  std::uint64_t contexts = 0;
  std::uint64_t registers = 0;
  std::uint64_t scalar_registers = 0;
};

/// The needs of a work-group of `threads` threads.
struct Need {
  std::uint32_t threads = 0;
  std::uint64_t contexts = 1;          ///< of a thread
  std::uint64_t registers = 0;         ///< of a thread
  std::uint64_t scalar_registers = 0;  ///< of a thread
  std::int64_t slm = 0;                ///< allocated, reserve included
  std::int64_t pool = 0;               ///< of a core's SLM, as the kernel's carve-out sets it, else all of it
  std::int64_t chosen_pool = 0;        ///< the same where a core drains to change it: the smallest that does
  bool joins_larger_pool = false;
  std::uint64_t barriers = 0;
  bool counts_as_barrier_or_slm = false;  ///< towards `work_groups_with_barrier_or_slm`
};

Need need_of(const DeviceSpec& device, const Kernel& kernel, std::uint64_t threads);
/// Sets the pool to which a core's SLM is set for work-groups of the kernel.
void choose_pool(const DeviceSpec& device, const Kernel& kernel, Need& need);

/// Returns true if the work-group's resources, apart from those of its threads, are free.
bool group_fits(const DeviceSpec& device, const Core& core, const Need& need);
/// Returns true if there is a free range for all its contexts that begins at a multiple of its length, or if the device
/// does not allocate runs.
bool has_run(const DeviceSpec& device, const Core& core, const Need& need);
/// Returns the engine that takes the next thread: of the engines where it fits, the one with the most free contexts,
/// ties to the lowest.
std::optional<std::size_t> engine_for(const DeviceSpec& device, const Core& core, const Need& need);
/// Returns the number of such threads that could be placed at once.
std::uint64_t thread_capacity(const DeviceSpec& device, const Core& core, const Need& need);
/// Returns the number of such work-groups that could be placed at once.
std::uint64_t group_capacity(const DeviceSpec& device, const Core& core, const Need& need);

void take_group(const DeviceSpec& device, Core& core, Group& group);
void release_group(Core& core, const Group& group);
void take_thread(Core& core, std::size_t engine, const Need& need);
void release_thread(Core& core, std::size_t engine, const Need& need);

}  // namespace gdsim::oracle
