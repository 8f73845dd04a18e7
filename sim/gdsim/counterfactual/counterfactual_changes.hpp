#pragma once

#include <gdsim/counterfactual/counterfactual_change.hpp>
#include <gdsim/counterfactual/l1_accesses.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

// Every change that counterfactuals() knows, as CounterfactualChange::make.

// Changes of the work: counterfactual_work.cpp
std::optional<ChangeWords> spread_tails(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_dependencies(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_start_times(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> equalize_work_groups(const Baseline& run, Scenario& changed);
/// Applies to launched kernels: counterfactual_order.cpp
std::optional<ChangeWords> take_tiles_on_demand(const Baseline& run, Scenario& changed);
/// Assigns the written factors and durations to other work-groups: counterfactual_order.cpp
std::optional<ChangeWords> dispatch_longest_first(const Baseline& run, Scenario& changed);

// Changes of programs: counterfactual_programs.cpp
std::optional<ChangeWords> remove_barriers(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> give_own_issue_slots(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_slm_conflicts(const Baseline& run, Scenario& changed);
/// Also gives threads their own pipe of L1, because it is the same pipe.
std::optional<ChangeWords> give_own_slm_banks(const Baseline& run, Scenario& changed);
/// Makes neighbouring work-items access neighbouring addresses: counterfactual_l1.cpp
std::optional<ChangeWords> coalesce_accesses(const Baseline& run, Scenario& changed, const ScatteredAccess& access);
/// Coalesces all accesses together, for instance those of an unrolled loop. Returns nullopt if there are fewer than
/// two.
std::optional<ChangeWords> coalesce_all_accesses(const Baseline& run, Scenario& changed);

// Changes of the memory: counterfactual_memory.cpp
std::optional<ChangeWords> raise_memory_limits(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> raise_bytes_in_flight(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> raise_atomic_rates(const Baseline& run, Scenario& changed);
/// Raises only the bandwidth of the level at this position.
std::optional<ChangeWords> raise_level_bandwidth(const Baseline& run, Scenario& changed, std::size_t level);

// Changes of the limits on resident work-groups: counterfactual_limits.cpp
std::optional<ChangeWords> remove_register_limits(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_slm_allocation(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_slots(const Baseline& run, Scenario& changed);

// Changes of the costs of dispatch and of launches: counterfactual_dispatch.cpp
std::optional<ChangeWords> dispatch_at_once(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_launch_overheads(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_recovery(const Baseline& run, Scenario& changed);
/// Applies if saving and restoring contexts took time.
std::optional<ChangeWords> switch_at_no_cost(const Baseline& run, Scenario& changed);

/// Applies if the clock changes during the run: counterfactual_clock.cpp
std::optional<ChangeWords> keep_first_clock(const Baseline& run, Scenario& changed);

// Changes of queues: counterfactual_queues.cpp
/// Applies if a launch waited for the start of another.
std::optional<ChangeWords> start_in_any_order(const Baseline& run, Scenario& changed);
/// Makes queues of several launches graphs, where that saves the host or the device time.
std::optional<ChangeWords> submit_as_graphs(const Baseline& run, Scenario& changed);

// Changes of the placement of work-groups: counterfactual_placement.cpp
std::optional<ChangeWords> place_whole_work_groups(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_ports(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> change_placement(const Baseline& run, Scenario& changed, const std::string& placement);
/// Explains why work-groups without their barrier or SLM take longer: they keep their ports. Empty if they do not.
std::string port_artefact(const Scenario& scenario, const Scenario& changed);

// Changes of the sizes of one kernel: counterfactual_sizes.cpp
/// Returns other possible work-group sizes of the kernel: halves, doubles, and those whose threads fill a core; at most
/// six, ascending. Empty if the contents of a work-group would not scale with its size.
std::vector<std::uint64_t> other_work_group_sizes(const Kernel& kernel, const DeviceSpec& device);
std::optional<ChangeWords> change_work_group_size(const Baseline& run, Scenario& changed, KernelId kernel,
                                                  std::uint64_t size);
/// Scales the work of a thread, and its reads, with its width.
std::optional<ChangeWords> change_sub_group_size(const Baseline& run, Scenario& changed, KernelId kernel,
                                                 std::uint32_t size);
std::optional<ChangeWords> change_grf_mode(const Baseline& run, Scenario& changed, KernelId kernel);

}  // namespace gdsim
