#pragma once

#include <gdsim/analysis/findings/answer.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/record/phase_shapes.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/record/timeline.hpp>
#include <gdsim/record/wait_log.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// A file beside a `summary.json`, as it was when the summary was written.
struct ListedFile {
  std::string name;  ///< within the folder
  std::uint64_t bytes = 0;
};

/// What a `summary.json` says of the folder in which it lies.
struct FolderFacts {
  std::vector<ListedFile> files;  ///< the other files; empty: the summary lies in no folder
  std::string version;            ///< of gdsim, which wrote them
  std::string scenario_folder;    ///< from this folder to that in which the scenario's files lie; empty: it names none
};

/// Returns the device with the clocks that its `power` brought about in a run.
inline DeviceSpec device_as_run(DeviceSpec device, const RunRecord& record) {
  if (device.power) device.clock_changes = record.clock_changes;
  return device;
}

/// A time in which a device transfers data over a link.
struct LinkSpan {
  SimTime begin;
  SimTime end;
};

/// All data for the reports of a run. Writers use parts of it; parts that a run did not keep are null. It refers to
/// values that must outlive it.
struct RunReport {
  const std::string& title;
  const DeviceSpec& device;
  const DispatchRules& dispatch;
  const Workload& workload;
  const RunRecord& record;
  const LaunchGraph& graph;  ///< of the workload
  const Timeline* timeline = nullptr;
  const CoreTimeline* cores = nullptr;
  const WorkGroupLog* work_groups = nullptr;
  const Repetitions* repetitions = nullptr;
  std::string file = {};  ///< from which the workload came; empty: none
  const LaunchTimeline* launches = nullptr;
  const GroupTimeline* group_states = nullptr;
  const TileLog* tiles = nullptr;             ///< that work-groups took
  const WaitSeries* waits = nullptr;          ///< over the whole run
  const WaitSeries* sampled_waits = nullptr;  ///< in the intervals of the samples
  std::vector<std::string> changes = {};      ///< changes made to the scenario before it ran: `PATH = VALUE`
  FolderFacts folder = {};                    ///< what its summary says of the folder in which it lies
  std::vector<LinkSpan> links = {};           ///< of one of several devices, by begin
  std::optional<Answer> answer = {};          ///< of further runs; nullopt: none were made
  std::vector<std::string> notes = {};        ///< of this run, beside those of notes_of(device, workload)
  std::size_t device_number = 0;              ///< of one of several devices, in the order of the scenario
};

/// The report of one of several devices that ran together.
struct DeviceReport {
  std::string name;  ///< under `devices:`
  RunReport report;
};

}  // namespace gdsim
