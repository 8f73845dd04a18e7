#pragma once

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Returns true if the rules let work-groups be placed in part, and some kernel leaves contexts free for a part.
bool may_place_in_part(const Scenario& scenario);

/// Returns true if work-groups may be placed in part, do not fill a core as wholes, and some kernel has more of them
/// than fit at once. No device has a measurement for this case.
bool is_placed_in_part(const Scenario& scenario);

/// Returns the rule that places work-groups in part, and its basis: `Placement in part (2 ports, handover at a barrier
/// or SLM) rests on experiments of eight work-groups; no measurement covers this case`. Empty unless
/// is_placed_in_part().
std::string placement_rule_note(const Scenario& scenario);

/// Returns the scenario with whole work-groups and unlimited ports.
Scenario with_whole_work_groups(Scenario scenario);

/// Returns placement_rule_note() with the results of `whole`, a run under whole work-groups, and the occupancy by
/// `gdsim occupancy`. Returns nullopt unless durations or mean occupancies differ by 2 % or 2 percentage points.
std::optional<std::string> placement_note(const Scenario& scenario, const RunRecord& record, const RunRecord& whole);

/// As above, with a run of its own; with more than 200,000 work-groups, the note says that this run was left out. Empty
/// if there is no note. Must be called for every run that is shown to a person.
std::vector<std::string> placement_notes(const Scenario& scenario, const RunRecord& record, const RunOptions& options);

/// Returns the notes on a scenario that is a point of a study: its notes_of(), and the rule of its placement.
std::vector<std::string> study_notes(const Scenario& scenario);
/// Compares duration and mean occupancy of this point with those under whole work-groups: two runs of at most one
/// million events. Returns nullopt unless is_placed_in_part(), and both complete.
std::optional<std::string> placement_note_of_point(const Scenario& scenario, const StopToken& stop);

}  // namespace gdsim
