#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace gdsim {

/// A launch of a kernel, from its first thread to its end.
struct LaunchSpan {
  std::size_t launch = 0;  ///< its position in the workload
  SimTime begin;
  SimTime end;
  KernelId kernel{};
  Int128 resident_time = 0;
  bool may_use_all_cores = true;
};

/// Returns every launch of a kernel, by begin; empty if one has not ended.
std::vector<LaunchSpan> launch_spans(const Workload& workload, const RunRecord& record);

/// Returns the picoseconds in which at least one of the launches, sorted by begin, is resident.
UInt128 time_of(const std::vector<LaunchSpan>& spans);

/// The launches that are compared with the capacity of the device: parts of collectives are not.
struct ComparedLaunches {
  std::vector<LaunchSpan> spans;  ///< by begin
  /// The kernel if all of them are its launches, one after the other; nullopt: they are all launches of the run, and
  /// some are resident at once.
  std::optional<KernelId> only;
};

/// Returns the launches of the kernel whose launch lasted longest, if no two launches of the run are ever resident at
/// once; else all launches. Returns no spans if one has not ended.
ComparedLaunches compared_launches(const Workload& workload, const RunRecord& record);

}  // namespace gdsim
