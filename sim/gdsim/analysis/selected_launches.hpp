#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Returns the kernel of the launch with the longest duration, the first of equals, or nullopt if no launch has ended.
std::optional<KernelId> longest_kernel_id(const Workload& workload, const RunRecord& record);
/// Returns that kernel itself, or null if no launch has ended.
const Kernel* longest_kernel(const Workload& workload, const RunRecord& record);

/// Returns the kernel of the longest launch that is no part of a collective, or null. Collectives make their own
/// kernels.
const Kernel* longest_own_kernel(const Workload& workload, const RunRecord& record);

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
UInt128 covered_time(const std::vector<LaunchSpan>& spans);

/// The launches that are compared with the capacity of the device: parts of collectives are not.
struct ComparedLaunches {
  std::vector<LaunchSpan> spans;  ///< by begin
  /// The kernel if `spans` are its launches, of which each ends before the next one begins; nullopt: `spans` are the
  /// launches of all kernels, and some of these are resident at once.
  std::optional<KernelId> only_kernel;
};

/// Returns the launches of the kernel whose launch lasted longest, if no two launches of the run are ever resident at
/// once; else all launches. Returns no spans if one has not ended.
ComparedLaunches compared_launches(const Workload& workload, const RunRecord& record);

/// All launches are shown one by one if there are no more than this number.
inline constexpr std::size_t kMaxLaunchesDrawn = 200;
/// If there are more, critical ones are shown up to this number.
inline constexpr std::size_t kMaxCriticalDrawn = 1'000;

/// The launches that figures and tables show.
struct LaunchSelection {
  /// Rows of RunView::launches: all of them in their order, or some in the order in which they begin.
  std::vector<std::size_t> rows;
  std::size_t total = 0;
  std::size_t critical = 0;        ///< among all launches: on the critical path, or without slack
  std::size_t critical_shown = 0;  ///< those in `rows`

  bool is_whole() const { return rows.size() == total; }
};

/// Selects all launches up to kMaxLaunchesDrawn of them; of more, the longest and the critical ones, and of more
/// critical ones than `max_rows` only the longest.
LaunchSelection select_launches(const RunView& view, std::size_t max_rows = kMaxCriticalDrawn);

/// `200 of 1000 launches: all 7 critical ones, and the longest of the others, ...`; empty if all are shown.
std::string selection_words(const LaunchSelection& selection);

}  // namespace gdsim
