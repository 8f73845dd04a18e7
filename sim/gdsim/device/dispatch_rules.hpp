#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The order in which ties between cores are broken.
struct TieOrder {
  enum class Kind : std::uint8_t {
    ascending,        ///< 0, 1, 2, ...
    evens_then_odds,  ///< 0, 2, 4, ..., then 1, 3, 5, ...
    listed            ///< as `cores` says
  };

  Kind kind = Kind::ascending;
  std::vector<CoreId> cores;  ///< each core once; empty unless `listed`

  /// The cores of a device of `count` cores in this order; empty: ascending.
  std::vector<CoreId> of(std::uint32_t count) const;
};

/// The time that a dispatcher is busy with placing n threads: max(per_work_group, n x per_thread), all of it from the
/// placement on.
struct DispatchInterval {
  StepTime per_work_group;
  StepTime per_thread;
  /// The unit that has a dispatcher of its own: `device` (there is one), `core`, `core_group` (the only level of
  /// core_groups), or the name of a level.
  std::string dispatchers = "device";

  /// True if placing takes no time.
  bool is_instant() const { return per_work_group.amount.is_zero() && per_thread.amount.is_zero(); }
};

/// A number that grows with the device: `per_core` x cores + `plus`.
struct PerCoreCount {
  std::uint64_t per_core = 0;
  std::uint64_t plus = 0;

  std::uint64_t on(std::uint64_t cores) const { return per_core * cores + plus; }
};

/// The work-groups of a launch go to the chosen core several at a time, while the launch is large and much of it is
/// left.
struct BatchRule {
  std::uint32_t work_groups = 1;  ///< to one core, one after another
  PerCoreCount grid_at_least;     ///< the minimum of work-groups that the launch has
  PerCoreCount left_at_least;     ///< the minimum not yet dispatched, the first of the batch included
};

/// How work-groups are dealt out to groups of cores.
enum class PartitionShare : std::uint8_t {
  contiguous,  ///< of G groups, group g gets numbers floor(g N / G) to floor((g + 1) N / G) - 1 of N
  cyclic       ///< group g gets those with number mod G = g
};

/// The work-groups of a launch are dealt out to groups of cores before any is placed. Each waits for its group, even if
/// another group has room.
struct PartitionRule {
  std::string across;  ///< the name of a level of core_groups, or `core_group` if there is one
  PartitionShare share = PartitionShare::contiguous;
};

/// A count that is limited, or unlimited.
struct Limit {
  std::optional<std::uint64_t> count;  ///< nothing: unlimited
};

/// How much of a work-group is placed at once.
enum class Admission : std::uint8_t {
  whole,    ///< all its threads on one core
  partial,  ///< as many as one core has free contexts for, at least one; the rest follow on that core
  spread,   ///< without barrier and SLM: as many as there are free contexts, over several cores; else whole
};

/// The partially placed work-groups that are handed over to their core's local dispatcher, which frees the port.
enum class Handover : std::uint8_t { never, barrier_or_slm, always };

/// Which of the ready launches may place its next work-group.
enum class KernelChoice : std::uint8_t {
  head_only,     ///< the first by (ready time, order in the file), until all its threads are placed
  skip_blocked,  ///< the first that can; one that cannot is skipped, and with it later ones of its kernel and cores
  round_robin,   ///< one work-group of each that can place one, in turn
  priority,      ///< as head_only within the highest priority; work-groups keep running, except for PreemptionRule
  time_sliced,   ///< as head_only among the launches of one queue, which has the device for a while: see PreemptionRule
};

/// Whether work-groups of two launches may be on one core at once.
enum class CoreSharing : std::uint8_t { shared, exclusive };

/// The cost of setting a core's memory to another pool: nothing, or the core must be empty first.
enum class SlmReconfiguration : std::uint8_t { free, drains_core };

/// What happens to work-groups of a process that is preempted.
enum class PreemptionOf : std::uint8_t {
  work_group,  ///< they run to their end, and no further one begins
  thread,      ///< they stop, and resume there later: their contexts are saved and restored
};

/// The memory that the saved context of a work-group takes.
enum class ContextBytes : std::uint8_t {
  none,
  context,  ///< registers of its threads and its SLM
  given,    ///< ContextMove::bytes
};

/// The cost of saving or restoring contexts: cores work in parallel, each on one work-group after the other; then bytes
/// are moved at the bandwidth of the memory.
struct ContextMove {
  StepTime per_work_group;
  ContextBytes moves = ContextBytes::none;
  Bytes bytes;  ///< of each work-group; used with ContextBytes::given
};

/// One process at a time has the whole device: the launches of one queue (`time_sliced`) or of one priority
/// (`priority`).
struct PreemptionRule {
  PreemptionOf of = PreemptionOf::work_group;
  ContextMove save{};
  ContextMove restore{};
  std::optional<Duration> quantum{};  ///< with `time_sliced`: how long a process has the device while others wait
};

/// The axes of dispatch. A device has a default for each; a scenario may override them one by one.
///
///     gdsim::DispatchRules rules = device.dispatch;
///     rules.admission = gdsim::Admission::partial;
///     rules.ports.count = 2;
///     const gdsim::Compilation compilation = gdsim::compile(device, rules, workload);
struct DispatchRules {
  /// The policy that chooses the candidate core for the next work-group: `fill_first`, `round_robin`, `least_loaded`,
  /// `most_room` or `group_round_robin`. compile() refuses any other, even "".
  std::string placement;
  Admission admission = Admission::whole;
  Limit ports;  ///< how many partially placed work-groups a dispatcher of the whole device can hold before it stalls
  Handover handover = Handover::never;
  KernelChoice kernel_choice = KernelChoice::head_only;
  Limit concurrent_kernels{};  ///< launches that may have begun and not ended, without copies and children
  CoreSharing core_sharing = CoreSharing::shared;
  SlmReconfiguration slm_reconfiguration = SlmReconfiguration::free;
  std::optional<DispatchInterval> interval{};  ///< nothing: one dispatcher, which places without taking time
  std::optional<StepTime> recovery{};          ///< between the release of core resources and their reuse; nothing: none
  std::optional<BatchRule> batch{};            ///< nothing: the core is chosen for each work-group
  std::optional<TieOrder> tie_order{};         ///< instead of the device's
  std::optional<PartitionRule> partition{};    ///< nothing: a work-group may go to any core
  std::optional<PreemptionRule> preemption{};  ///< nothing: all launches share the device
};

}  // namespace gdsim
