#pragma once

#include <gdsim/analysis/findings/answer.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/speed/speed_of_light.hpp>
#include <gdsim/analysis/time_series.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/record/timeline.hpp>
#include <gdsim/record/wait_log.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// The holder of a partially placed work-group until all its threads are placed.
enum class PartialsAt : std::uint8_t {
  unknown,  ///< not known, or no work-group is placed in part on one core
  port,     ///< it holds a port
  core,     ///< it is handed over to its core
};

/// The names of a launch in a row of a picture. Its times are in RunView::record.
struct LaunchRow {
  std::string name;
  std::string kernel;  ///< or words for a copy
  std::string queue;   ///< its queue; empty: none
  bool is_without_kernel = false;  ///< a copy, or a launch of another device
  bool is_remote = false;          ///< a launch of another device
  bool exchanges = false;          ///< a part of a collective
  std::vector<std::size_t> after;  ///< rows of launches that had to end first
  /// Words for its hardware queue and for the previous launch there; empty: none, or no previous one.
  std::string hardware_queue;
  PartialsAt partials = PartialsAt::unknown;
};

/// What all launches of a kernel moved at each level of memory.
struct KernelTraffic {
  std::string kernel;
  std::vector<ResourceUse> levels;
};

/// The number of work-groups of a kernel that one resource of a core allows.
struct LimitRow {
  std::string kernel;
  std::string resource;
  std::uint64_t work_groups = 0;
  bool is_limiting = false;
};

/// The result of a run with one thing changed. The numbers and words come from explain().
struct ExplainRow {
  std::string what;  ///< `registers_unlimited`
  Duration duration;
  std::string change;  ///< `-21.0 %`, against the run as it is
  bool is_saving = false;
  std::string sentence;
  std::string shown_as = {};  ///< the name of its run among the cases of the page; empty: it is not among them
};

/// From this instant of the run on, the device has another clock.
struct ClockMark {
  SimTime at;
  std::string clock;  ///< `1.386 GHz`
};

/// Whether axes of threads reach to all contexts of the device or to the maximum that fits. See thread_axis().
enum class FigureScale : std::uint8_t { fits, device };

/// Everything that pictures of a run show. The run is simulated (view_of()) or read from its files. The spans refer to
/// values that must outlive the view.
struct RunView {
  std::string title;
  std::string device;
  Terms terms;
  std::uint32_t cores = 0;
  /// If read from files, only their contents: no integrals over the whole run or over launches, and no data by core.
  RunRecord record;
  const Workload* workload = nullptr;  ///< null: read from files, which do not have it
  std::span<const TimelinePoint> timeline;
  std::span<const CorePoint> core_points;
  std::span<const GroupPoint> group_points;  ///< empty: there were too many to keep
  bool are_groups_known = false;             ///< their changes were written, unless there were too many
  /// The lives of work-groups, by launch, then number; empty: there were too many to keep, or they are not known.
  std::vector<std::span<const WorkGroupRecord>> group_lives;
  const TileLog* tiles = nullptr;               ///< that work-groups took; null: they were not kept
  std::vector<std::string> core_names;          ///< by core; empty: the device's word and a number, see core_name()
  std::vector<CoreGroup> core_groups;           ///< all_core_groups() of the device; empty: none, or not known
  std::vector<LaunchRow> launches;              ///< by LaunchId, as in `record`
  TimeSeries time_series;                       ///< use of time over time; empty: not known
  std::optional<TimeUse> time_use;              ///< of all threads; nullopt: not known
  Int128 exchange_time = 0;                     ///< of it, see exchange_time()
  std::vector<LimitRow> limits;                 ///< empty: not known
  std::vector<ClockMark> clocks;                ///< add_clock(): its changes; empty: none, or not known
  std::string scenario;                         ///< its text; empty: not known
  std::vector<std::string> changes;             ///< changes made to it before it ran
  std::string finding;                          ///< see first_finding(); empty: none, or not known
  std::vector<UseRow> speed;                    ///< use_rows() of the run; empty: nothing was used, or not known
  std::vector<KernelTraffic> traffic;           ///< by kernel; empty: nothing was moved, or not known
  std::string occupancy;                        ///< occupancy_words(); empty: not known
  std::vector<RestsOn> rests_on;                ///< see Answer::rests_on; empty: nothing, or not tried
  std::optional<std::vector<ExplainRow>> help;  ///< the greatest saving first; nullopt: without --explain
  std::vector<std::string> notes;               ///< notes_of() the run; empty: none, or not known
  std::uint64_t runs = 1;                       ///< the number of runs; this is the first
  std::vector<BandRow> bands;                   ///< of all runs; empty: one run only, or not known
  std::optional<std::uint64_t> ports;           ///< ports of dispatchers; nullopt: no limit, or not known
  FigureScale scale = FigureScale::device;
  std::uint64_t axis_at_least = 0;  ///< threads that an axis must reach, for curves besides the run
  std::string deadlock;             ///< the waits of threads in a deadlock; empty: not known

  /// Returns true if the launch in this row could not have ended later without delaying the end of the run. False for a
  /// single launch, for which that is obvious.
  bool is_critical(std::size_t row) const { return launches.size() > 1 && record.launches[row].is_critical(); }
};

/// The maximum of work-groups, and of their changes, that are drawn one by one.
inline constexpr std::uint64_t kMaxGroupsDrawn = 4'000;
inline constexpr std::size_t kMaxGroupPointsDrawn = 10'000;
/// The maximum of work-groups whose lives, 32 bytes each, are kept for pictures.
inline constexpr std::uint64_t kMaxGroupLives = 4'000'000;
/// The maximum of tiles that are kept for pictures.
inline constexpr std::size_t kMaxTilesKept = 200'000;

/// `SM 7`, or the core's own name.
std::string core_name(const RunView& view, std::size_t core);

/// Returns the view of `report`, whose timeline and cores must have been kept. It has work-groups if their states were
/// kept.
RunView view_of(const RunReport& report);

/// Adds a clock of the device from `at` on. A change at the start or at the end of the run is not shown.
void add_clock(RunView& view, SimTime at, Hertz clock);
/// `copy of 4 KiB to the device`: shown in place of a kernel for a copy.
std::string copy_text(const Copy& copy);
/// Returns, for every kernel of the workload, the number of its work-groups that each resource of a core allows.
std::vector<LimitRow> limit_rows(const Workload& workload, const DeviceSpec& device);
/// Returns true if the work-groups are few enough for pictures to show them one by one.
bool may_draw_groups(const Workload& workload);
/// Returns true if the work-groups are few enough for their lives to be kept for pictures.
bool may_keep_group_lives(const Workload& workload);

/// The use of the time of all contexts, in context-picoseconds; the four add up to the whole.
struct TimeAccount {
  UInt128 running = 0;  ///< held by threads that run
  UInt128 stalled = 0;  ///< held by threads that do not run
  UInt128 beside = 0;   ///< free, on cores where other contexts are held
  UInt128 empty = 0;    ///< free, on empty cores

  UInt128 whole() const { return running + stalled + beside + empty; }
};

TimeAccount time_account(const RunView& view);

}  // namespace gdsim
