#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// `1.98 GHz, from 5 ms on 1.386 GHz`: the clocks that came into force during the run, at most five of them. nullopt if
/// the clock did not change.
std::optional<std::string> clocks_in_force(const DeviceSpec& device, const RunRecord& record);

/// Returns a note with the maximum power of the device under its lowest clock, if the limit of `power` cannot be kept,
/// else nullopt.
std::optional<std::string> power_note(const DeviceSpec& device, const RunRecord& record);

/// Returns clocks_in_force() as a sentence that names the quantities that scale with the clock, or nullopt.
std::optional<std::string> clock_note(const DeviceSpec& device, const RunRecord& record);

/// Returns both notes, if they apply.
std::vector<std::string> notes_on_clocks(const DeviceSpec& device, const RunRecord& record);

/// Returns the note that the dispatch of one work-group after the other, each at the device's `dispatch.interval`,
/// takes at least half of the time from the first dispatch to the end, if the source of the figure that decides says
/// that it is extrapolated. Returns nullopt if the scenario has its own interval.
std::optional<std::string> interval_note(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                                         const RunRecord& record);

/// Returns a sentence for each process that had the device in turn, and one on the cost of switching; empty without
/// preemption. If there are many processes, only the first few are described.
std::vector<std::string> preemption_notes(const RunRecord& record);

/// Describes the share of the run for saving and restoring, without a stop at its end; empty if these took no time.
std::string lost_by_switches(const RunRecord& record);

/// Returns the time for which other processes or switches had the device, from the launch's begin to its end, or
/// nullopt if it has not ended. Without work to run, no process has the device. The run must have had preemption.
OptionalDuration suspended_of(const RunRecord& record, LaunchId launch);

/// The launches from the device that CUDA keeps by default while they have not begun: CUDA C++ Programming Guide, CUDA
/// Dynamic Parallelism, `cudaLimitDevRuntimePendingLaunchCount`.
inline constexpr std::uint64_t kPendingLaunchesOfCuda = 2'048;

/// Returns the note that a launch waited for cores to drain, because their SLM was set to another pool, or nullopt if
/// none did.
std::optional<std::string> slm_pool_note(const DeviceSpec& device, const Workload& workload, const RunRecord& record);

/// Returns the note that a device of NVIDIA launched more kernels than CUDA keeps waiting by default, or nullopt if it
/// did not.
std::optional<std::string> pending_launches_note(const DeviceSpec& device, const Workload& workload,
                                                 const RunRecord& record);

/// Returns a note for each kernel whose `tensor_` amounts may be those of one lane, or multiplied by the lanes once too
/// often. On the cores that hold its work-groups, its tensor pipes are busy for at most 1 / sub_group of the time, so
/// that they could do as many times more; or for at least 98 % of it, more than matrix products reach. Kernels that
/// count matrix instructions by shape have none.
std::vector<std::string> tensor_notes(const RunReport& report);

/// The notes of several cases, or devices, without duplicates. Some, as those about the clocks of a run, name their
/// cases.
class CaseNotes {
 public:
  /// `named`: the notes in `notes` that name their cases.
  void add(const std::string& name, const std::vector<std::string>& notes, const std::vector<std::string>& named);

  /// Returns the notes in the order in which they were first added. A note that all cases have does not name them.
  std::vector<std::string> texts() const;

 private:
  struct Note {
    std::string text;
    bool is_named = false;
    std::vector<std::string> names;
  };
  std::vector<Note> notes_;
  std::size_t cases_ = 0;
};

}  // namespace gdsim
