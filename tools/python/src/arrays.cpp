#include "arrays.hpp"
#include <gdsim/base/text.hpp>
#include <gdsim/report/format_catalog.hpp>
#include "run.hpp"
#include "views.hpp"

#include <pybind11/stl.h>

#include <cstdint>
#include <set>
#include <utility>
#include <variant>

namespace gdsim::python {
namespace {

namespace py = pybind11;

// Arrays view these types as integers of these sizes.
static_assert(sizeof(SimTime) == 8 && sizeof(OptionalTime) == 8 && sizeof(Bytes) == 8 && sizeof(CoreId) == 4);
static_assert(sizeof(Residency) == 32);

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

/// Returns the format of a table of runs by its name; it has columns.
Format format_named(const std::string& name) {
  for (const Format& format : built_in_formats())
    if (format.name == name && format.table != nullptr) return format;
  throw InputError("there is no table " + in_quotes(name));
}

py::object array_of_values(RecurringTexts texts) {
  return py::make_tuple(std::move(texts.words), array_of(py::dtype("u4"), std::move(texts.index)));
}
py::object array_of_values(std::vector<double> values) { return array_of(py::dtype("f8"), std::move(values)); }
py::object array_of_values(std::vector<std::uint64_t> values) { return array_of(py::dtype("u8"), std::move(values)); }
py::object array_of_values(std::vector<std::uint32_t> values) { return array_of(py::dtype("u4"), std::move(values)); }
py::object array_of_values(std::vector<std::int64_t> values) { return array_of(py::dtype("i8"), std::move(values)); }
py::object array_of_values(std::vector<std::uint8_t> values) { return array_of(py::dtype("?"), std::move(values)); }

}  // namespace

py::dict table_of(const Run& run, const std::string& name, const std::string& column) {
  const Format format = format_named(name);
  std::set<Keeps> keeps;
  if (format.keeps != Keeps::nothing) keeps.insert(format.keeps);
  const Run::Shared kept = run.kept_with(keeps);
  py::dict columns;
  for (ColumnValues& values : format.table->values(kept->report(), column))
    columns[py::str(values.name)] =
        std::visit([](auto& list) { return array_of_values(std::move(list)); }, values.values);
  return columns;
}

std::vector<std::string> columns_of(const Run& run, const std::string& name) {
  std::vector<std::string> names;
  const RunReport report = run.first_report();
  for (ColumnWords& column : format_named(name).table->columns(&report)) names.push_back(std::move(column.name));
  return names;
}

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
    pieces.append(py::make_tuple(view_of_rows(dtype, records.data(), records.size(), keeper), launch.name,
                                 workload.kernel_of(launch).name));
  }
  return pieces;
}

}  // namespace gdsim::python
