#pragma once

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Returns a note for each buffer name that launches of several devices use: each device has its own buffer of this
/// name. Empty for one device.
std::vector<std::string> notes_on_buffers(const Scenario& scenario);

/// Returns the notes that a completed run of one device needs further runs for: on its placement, on resources that its
/// kernels do not declare, on products of matrices, and on `in_flight`. Must be called for every run that is shown to a
/// person.
std::vector<std::string> further_notes(const Scenario& scenario, const RunResult& run, const RunOptions& options);

/// Returns notes on kernels that multiply matrices, with the durations of both runs: one if they state no working set,
/// and the run would take less time if the last cache held what they load and store; one if they do more multiply-adds
/// than their loads suggest, and the run would take less time without as many as a thread has work-items. Empty if that
/// is less than 5 %, if a kernel is a placeholder, or if the run has more than 3,000,000 events.
std::vector<std::string> product_notes(const Scenario& scenario, const RunResult& run, const RunOptions& options);

/// Compares points that are ranked against each other, and notes what affects their ranking besides the axes: costs
/// that only some of the models have, and total work that depends on the sub-group size.
class ComparabilityNotes {
 public:
  /// Must be called for some points, in their order. One point for each device and sub-group size is enough.
  void add(const Scenario& point);
  /// Returns sentences; empty if the points are alike.
  std::vector<std::string> notes() const;
  /// Returns false if a kernel does more work at some points, since each of its threads does the same for another
  /// number of work-items: durations of such points are not ranked.
  bool is_work_equal() const;

 private:
  /// The costs in a device's model that lengthen short runs.
  struct DeviceCosts {
    std::string id;
    std::vector<bool> has;  ///< by kind of cost
  };
  /// The work of each thread of a kernel at one point.
  struct PerThread {
    std::uint32_t sub_group = 0;
    UInt128 threads = 0;
    std::vector<std::string> amounts;
  };

  static bool is_same_per_thread(const std::vector<PerThread>& points);

  std::vector<DeviceCosts> devices_;                         ///< each once
  std::map<std::string, std::vector<PerThread>> of_kernel_;  ///< each sub-group size of a kernel once
  std::string thread_ = "thread";
};

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
/// if there is no note. Part of further_notes().
std::vector<std::string> placement_notes(const Scenario& scenario, const RunRecord& record, const RunOptions& options);

/// Returns the notes on a scenario that is a point of a study: its notes_of(), and the rule of its placement.
std::vector<std::string> study_notes(const Scenario& scenario);
/// Compares duration and mean occupancy of this point with those under whole work-groups: two runs of at most one
/// million events. Returns nullopt unless is_placed_in_part(), and both complete.
std::optional<std::string> placement_note_of_point(const Scenario& scenario, const StopToken& stop);

}  // namespace gdsim
