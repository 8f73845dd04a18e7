#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/barrier_cost.hpp>
#include <gdsim/device/copy_rule.hpp>
#include <gdsim/device/core_groups.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/device/limit.hpp>
#include <gdsim/device/memory_rule.hpp>
#include <gdsim/device/register_rule.hpp>
#include <gdsim/device/slm_access.hpp>
#include <gdsim/device/slm_rule.hpp>
#include <gdsim/device/terms.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// When a thread's context comes back: when the thread ends, or when its whole work-group has ended.
enum class Release : std::uint8_t { thread, work_group };

/// Which work-groups take barrier registers although their kernel gives no count.
enum class BarrierUse : std::uint8_t {
  program,       ///< those whose program has a barrier: one
  multi_thread,  ///< those of more than one thread: one
};

/// A number that a vendor's own tool prints under the name of occupancy, where it means something else.
enum class VendorOccupancy : std::uint8_t {
  none,                   ///< it means the same
  capped_by_work_groups,  ///< percent, as if all work-groups of the launch were to go to one core
  waves_per_engine,       ///< threads per engine, rounded up, each limit for itself
};

/// A family has what its products share, and one core to speak of; products have all theirs.
enum class DeviceKind : std::uint8_t { product, family };

/// What a GPU is. A value: nothing in it changes during a run.
struct DeviceSpec {
  std::string id;    ///< the name scenarios use, e.g. `xe-lp-tgl`
  std::string name;  ///< the product's name
  std::string vendor;
  DeviceKind kind = DeviceKind::product;
  Terms terms;                 ///< the vendor's words, for reports
  std::optional<Hertz> clock;  ///< needed only by programs that count cycles

  std::uint32_t cores = 0;
  CoreGroups core_groups;
  std::uint32_t engines_per_core = 0;
  std::uint32_t contexts_per_engine = 0;
  std::vector<std::uint32_t> sub_group_sizes;  ///< ascending, work-items
  std::uint32_t max_work_group_size = 0;       ///< work-items
  std::optional<std::uint32_t>
      large_grf_contexts;  ///< contexts that a thread takes in large-GRF mode; nothing: no such mode

  Limit work_groups_per_core;
  Limit work_groups_with_barrier_or_slm;  ///< of those, at most so many per core
  Limit barriers_per_core;
  BarrierUse barrier_use = BarrierUse::program;
  SlmRule slm;
  std::optional<RegisterRule> registers;
  std::optional<ScalarRegisterRule> scalar_registers;

  std::uint32_t fused_engines = 1;      ///< engines that share their issue slots, pairs on some devices
  std::optional<SlmAccess> slm_access;  ///< needed only by programs with `slm` steps
  BarrierCost barrier_cost;
  std::optional<MemoryRule> memory;

  Release release = Release::thread;
  DispatchRules dispatch;
  /// Between the begin of a launch and the first placement of its work-groups; nothing: none. See Dispatcher.
  std::optional<StepTime> launch_cost;
  Picoseconds submit_overhead;    ///< host time that each submission of a launch takes
  Picoseconds launch_latency;     ///< between the end of a submission and the device knowing of the launch
  Picoseconds dependency_gap;     ///< between the last end of those a launch comes after and its being ready
  std::optional<CopyRule> copy;   ///< nothing: no copies
  std::vector<CoreId> tie_order;  ///< cores in the order in which ties go to them; empty: by index
  VendorOccupancy vendor_occupancy = VendorOccupancy::none;
  /// Keys of a family that are not in force, for they count cycles and no clock was named: `launch_cost`.
  std::vector<std::string> not_in_force;

  /// Key, where its numbers come from.
  std::vector<std::pair<std::string, std::string>> sources;

  std::uint32_t contexts_per_core() const { return engines_per_core * contexts_per_engine; }
  std::uint64_t contexts_total() const { return std::uint64_t{cores} * contexts_per_core(); }
};

}  // namespace gdsim
