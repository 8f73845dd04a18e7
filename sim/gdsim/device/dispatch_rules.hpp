#pragma once

#include <gdsim/device/dispatch_timing.hpp>
#include <gdsim/device/limit.hpp>
#include <gdsim/device/tie_order.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {

/// How much of a work-group is placed at once.
enum class Admission : std::uint8_t {
  whole,    ///< all its threads on one core
  partial,  ///< as many as one core has free contexts for, at least one; the rest follow on that core
  spread,   ///< without barrier and SLM: as many as there are free contexts, over several cores; else whole
};

/// Which partially placed work-groups are handed to their core's local dispatcher, freeing the port.
enum class Handover : std::uint8_t { never, barrier_or_slm, always };

/// Which of the ready launches may place its next work-group.
enum class KernelChoice : std::uint8_t {
  head_only,     ///< the first by (ready time, order in the file), until all its threads are placed
  skip_blocked,  ///< the first that can; one that cannot is skipped, and with it later ones of its kernel and cores
  round_robin,   ///< one work-group each in turn, whoever can
  priority,      ///< as head_only among those of the highest priority; a running work-group is never preempted
};

/// Whether work-groups of two launches may be on one core at once.
enum class CoreSharing : std::uint8_t { shared, exclusive };

/// What it costs to set a core's memory to another pool: nothing, or the core must be empty first.
enum class SlmReconfiguration : std::uint8_t { free, drains_core };

/// The axes of dispatch. A device has a default for each; a scenario may override them one by one.
struct DispatchRules {
  std::string placement;  ///< a name in the policy catalog: which candidate core takes the next work-group
  Admission admission = Admission::whole;
  Limit ports;  ///< how many partially placed work-groups the global dispatcher can hold before it stalls
  Handover handover = Handover::never;
  KernelChoice kernel_choice = KernelChoice::head_only;
  Limit concurrent_kernels{};  ///< launches that may have begun and not ended, without copies and children
  CoreSharing core_sharing = CoreSharing::shared;
  SlmReconfiguration slm_reconfiguration = SlmReconfiguration::free;
  std::optional<DispatchInterval> interval{};  ///< nothing: one dispatcher, which places without taking time
  std::optional<StepTime> recovery{};    ///< between the end of what a core holds and its reuse; nothing: none
  std::optional<BatchRule> batch{};      ///< nothing: each work-group's core is chosen anew
  std::optional<TieOrder> tie_order{};   ///< instead of the device's
};

}  // namespace gdsim
