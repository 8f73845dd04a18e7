#include "arrays.hpp"
#include "run.hpp"
#include "views.hpp"
#include <gdsim/analysis/speed/speed_of_light.hpp>
#include <gdsim/report/csv/csv_tables.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace gdsim::python {
namespace {

namespace py = pybind11;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double nanoseconds(std::int64_t picoseconds) { return static_cast<double>(picoseconds) / 1000.0; }
double nanoseconds(SimTime time) { return nanoseconds(time.count); }
double nanoseconds(Duration time) { return nanoseconds(time.count); }
template <class Time>
double nanoseconds(const CompactOptional<Time>& time) {
  return time ? nanoseconds(*time) : kNothing;
}

double number(const Ratio& ratio) {
  return ratio.denominator == 0 ? kNothing
                                : static_cast<double>(static_cast<long double>(ratio.numerator) /
                                                      static_cast<long double>(ratio.denominator));
}

struct PhaseRow {
  std::uint64_t phase;
  double start, end, duration;
  std::uint64_t resident;
  double occupancy, running;
  std::uint64_t cores_busy;
  char32_t kind[8];
  std::uint64_t least;
  double mean;
  std::uint64_t most;
};

struct LaunchRow {
  double submitted, ready, first_dispatched, fully_dispatched, ended;
  std::uint64_t work_groups;
  double mean_occupancy;
  bool is_critical;
  std::uint64_t dispatched, groups_ended;
  double begun, duration, achieved, elapsed, active, bound_percent;
};

// Arrays view these types as integers of these sizes.
static_assert(sizeof(SimTime) == 8 && sizeof(OptionalTime) == 8 && sizeof(Bytes) == 8 && sizeof(CoreId) == 4);
static_assert(sizeof(Residency) == 32 && sizeof(bool) == 1 && sizeof(char32_t) == 4);

py::dtype timeline_dtype() {
  using Point = TimelinePoint;
  return dtype_of({{"time_ps", "i8", offsetof(Point, time)},
                   {"threads_resident", "u8", offsetof(Point, counts.resident.threads)},
                   {"threads_running", "u8", offsetof(Point, counts.resident.running)},
                   {"work_groups_resident", "u8", offsetof(Point, counts.resident.work_groups)},
                   {"work_groups_partial", "u8", offsetof(Point, counts.work_groups_partial)},
                   {"cores_busy", "u8", offsetof(Point, counts.cores_busy)},
                   {"slm_bytes", "i8", offsetof(Point, counts.resident.slm)}},
                  sizeof(Point));
}

py::dtype core_dtype() {
  return dtype_of({{"time_ps", "i8", offsetof(CorePoint, time)},
                   {"core", "u4", offsetof(CorePoint, core)},
                   {"threads_resident", "u4", offsetof(CorePoint, resident.threads)},
                   {"threads_running", "u4", offsetof(CorePoint, resident.running)},
                   {"work_groups_resident", "u4", offsetof(CorePoint, resident.work_groups)},
                   {"slm_bytes", "i8", offsetof(CorePoint, resident.slm)}},
                  sizeof(CorePoint));
}

py::dtype work_group_dtype() {
  return dtype_of({{"core", "u4", offsetof(WorkGroupRecord, core)},
                   {"threads_first_placed", "u4", offsetof(WorkGroupRecord, threads_first_placed)},
                   {"first_placed_ps", "i8", offsetof(WorkGroupRecord, first_placed)},
                   {"fully_placed_ps", "i8", offsetof(WorkGroupRecord, fully_placed)},
                   {"ended_ps", "i8", offsetof(WorkGroupRecord, ended)}},
                  sizeof(WorkGroupRecord));
}

/// Returns the number of threads of each of the first `count` work-groups.
py::object threads_of(const Kernel& kernel, std::size_t count) {
  const auto counts = kernel.thread_counts();
  if (counts.size() == 1) return py::int_(counts.front());
  py::array_t<std::uint64_t> threads(static_cast<py::ssize_t>(count));
  for (std::size_t i = 0; i < count; ++i) threads.mutable_at(i) = kernel.threads_of(WorkGroupId{i});
  return threads;
}

/// Returns the cores of each spread work-group by its number: `0+2`.
py::dict spread_of(const WorkGroupLog& log, LaunchId launch) {
  py::dict spread;
  const auto records = log.records_of(launch);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto more = log.more_cores_of(launch, WorkGroupId{i});
    if (!more.empty()) spread[py::int_(i)] = cores_text(records[i], more);
  }
  return spread;
}

std::vector<std::optional<NearestPeak>> bounds_of(const Run& run) { return bounds_of_launches(run.first_report()); }

}  // namespace

py::array timeline_of(const Run& run) {
  const Run::Shared kept = run.kept_with({Keeps::timeline});
  const Timeline& points = kept->result().timeline;
  return view_of_rows(timeline_dtype(), points.data(), points.size(), keeper_of(kept));
}

py::array cores_of(const Run& run) {
  const Run::Shared kept = run.kept_with({Keeps::cores});
  const ChangePoints<CorePoint>& points = kept->cores()->points();
  return view_of_rows(core_dtype(), points.data(), points.size(), keeper_of(kept));
}

py::list work_groups_of(const Run& run) {
  const Run::Shared kept = run.kept_with({Keeps::work_groups});
  const py::capsule keeper = keeper_of(kept);
  const py::dtype dtype = work_group_dtype();
  const Workload& workload = run.ready().scenario.workload;
  py::list pieces;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    const auto records = kept->work_groups()->records_of(id);
    if (records.empty()) continue;
    const Launch& launch = workload.launches[i];
    const Kernel& kernel = workload.kernel_of(launch);
    pieces.append(py::make_tuple(view_of_rows(dtype, records.data(), records.size(), keeper), launch.name, kernel.name,
                                 threads_of(kernel, records.size()),
                                 may_spread(run) ? py::object(spread_of(*kept->work_groups(), id)) : py::none()));
  }
  return pieces;
}

bool may_spread(const Run& run) { return run.ready().scenario.dispatch.admission == Admission::spread; }

py::array phases_of(const Run& run) {
  const RunRecord& record = run.record();
  std::vector<PhaseRow> rows;
  for (const Phase& phase : record.phases.phases) {
    PhaseRow& row = rows.emplace_back();
    row = {rows.size(),
           nanoseconds(phase.begin),
           nanoseconds(phase.end),
           nanoseconds(phase.duration()),
           phase.resident,
           number(phase.occupancy_percent(record.contexts_total)),
           number(phase.mean_running()),
           phase.cores_busy,
           {},
           phase.min_resident,
           number(phase.mean_resident()),
           phase.max_resident};
    const std::string_view kind = name_of(phase.kind);
    std::copy(kind.begin(), kind.end(), row.kind);
  }
  return array_of(dtype_of({{"phase", "u8", offsetof(PhaseRow, phase)},
                            {"start_ns", "f8", offsetof(PhaseRow, start)},
                            {"end_ns", "f8", offsetof(PhaseRow, end)},
                            {"duration_ns", "f8", offsetof(PhaseRow, duration)},
                            {"threads_resident", "u8", offsetof(PhaseRow, resident)},
                            {"occupancy_percent", "f8", offsetof(PhaseRow, occupancy)},
                            {"threads_running_mean", "f8", offsetof(PhaseRow, running)},
                            {"cores_busy", "u8", offsetof(PhaseRow, cores_busy)},
                            {"kind", "U8", offsetof(PhaseRow, kind)},
                            {"threads_min", "u8", offsetof(PhaseRow, least)},
                            {"threads_mean", "f8", offsetof(PhaseRow, mean)},
                            {"threads_max", "u8", offsetof(PhaseRow, most)}},
                           sizeof(PhaseRow)),
                  std::move(rows));
}

py::array launches_of(const Run& run) {
  const RunRecord& record = run.record();
  const Workload& workload = run.ready().scenario.workload;
  const std::vector<std::optional<NearestPeak>> bounds = bounds_of(run);
  std::vector<LaunchRow> rows;
  rows.reserve(record.launches.size());
  for (std::size_t i = 0; i < record.launches.size(); ++i) {
    const LaunchRecord& launch = record.launches[i];
    const auto elapsed = record.elapsed_occupancy(launch);
    rows.push_back({nanoseconds(launch.submitted), nanoseconds(launch.ready), nanoseconds(launch.first_dispatched),
                    nanoseconds(launch.fully_dispatched), nanoseconds(launch.ended),
                    workload.kernel_of(workload.launches[i]).range.group_count(),
                    number(mean_occupancy(launch, record)), launch.is_critical(), launch.work_groups_dispatched,
                    launch.work_groups_ended, nanoseconds(launch.begun), nanoseconds(launch.duration()),
                    number(record.achieved_occupancy(launch)), elapsed ? number(*elapsed) : kNothing,
                    nanoseconds(launch.active()), bounds[i] ? number(bounds[i]->percent) : kNothing});
  }
  return array_of(dtype_of({{"submitted_ns", "f8", offsetof(LaunchRow, submitted)},
                            {"ready_ns", "f8", offsetof(LaunchRow, ready)},
                            {"first_dispatched_ns", "f8", offsetof(LaunchRow, first_dispatched)},
                            {"fully_dispatched_ns", "f8", offsetof(LaunchRow, fully_dispatched)},
                            {"ended_ns", "f8", offsetof(LaunchRow, ended)},
                            {"work_groups", "u8", offsetof(LaunchRow, work_groups)},
                            {"mean_occupancy_percent", "f8", offsetof(LaunchRow, mean_occupancy)},
                            {"critical", "?", offsetof(LaunchRow, is_critical)},
                            {"work_groups_dispatched", "u8", offsetof(LaunchRow, dispatched)},
                            {"work_groups_ended", "u8", offsetof(LaunchRow, groups_ended)},
                            {"begun_ns", "f8", offsetof(LaunchRow, begun)},
                            {"duration_ns", "f8", offsetof(LaunchRow, duration)},
                            {"achieved_occupancy_percent", "f8", offsetof(LaunchRow, achieved)},
                            {"elapsed_occupancy_percent", "f8", offsetof(LaunchRow, elapsed)},
                            {"active_ns", "f8", offsetof(LaunchRow, active)},
                            {"bound_percent", "f8", offsetof(LaunchRow, bound_percent)}},
                           sizeof(LaunchRow)),
                  std::move(rows));
}

py::list launch_names_of(const Run& run) {
  const Workload& workload = run.ready().scenario.workload;
  const std::vector<std::optional<NearestPeak>> bounds = bounds_of(run);
  py::list names;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    names.append(py::make_tuple(launch.name, workload.kernel_of(launch).name,
                                launch.queue ? workload.queues[index_of(*launch.queue)].name : "",
                                bounds[i] ? bounds[i]->name : ""));
  }
  return names;
}

}  // namespace gdsim::python
