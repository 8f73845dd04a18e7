#pragma once

#include <gdsim/study/counterfactual_change.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace gdsim {

// Every change that counterfactuals() knows, as CounterfactualChange::make.

// Of the work: counterfactual_work.cpp
std::optional<std::string> spread_tails(const Baseline& run, Scenario& changed);
std::optional<std::string> remove_dependencies(const Baseline& run, Scenario& changed);
std::optional<std::string> equalize_work_groups(const Baseline& run, Scenario& changed);

// Of programs: counterfactual_programs.cpp
std::optional<std::string> remove_barriers(const Baseline& run, Scenario& changed);
std::optional<std::string> give_own_issue_slots(const Baseline& run, Scenario& changed);
std::optional<std::string> remove_slm_conflicts(const Baseline& run, Scenario& changed);
std::optional<std::string> give_own_slm_banks(const Baseline& run, Scenario& changed);

// Of the memory: counterfactual_memory.cpp
std::optional<std::string> raise_memory_limits(const Baseline& run, Scenario& changed);
/// Only the bandwidth of the level at this position.
std::optional<std::string> raise_level_bandwidth(const Baseline& run, Scenario& changed, std::size_t level);

// Of what limits how many work-groups fit: counterfactual_limits.cpp
std::optional<std::string> remove_register_limits(const Baseline& run, Scenario& changed);
std::optional<std::string> remove_slm_allocation(const Baseline& run, Scenario& changed);
std::optional<std::string> remove_slots(const Baseline& run, Scenario& changed);

// Of what dispatching and launching cost: counterfactual_dispatch.cpp
std::optional<std::string> dispatch_at_once(const Baseline& run, Scenario& changed);
std::optional<std::string> remove_launch_overheads(const Baseline& run, Scenario& changed);

}  // namespace gdsim
