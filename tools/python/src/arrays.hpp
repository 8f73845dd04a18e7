#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace gdsim::python {

class Run;

// What a run recorded, for NumPy. Times are whole picoseconds, the lowest of 64 bits where something never happened, or
// nanoseconds as `double`, then NaN. Nothing that follows from other columns is in an array; `_series.py` adds it.

/// The timeline as pieces `(array, repetitions, period_ps)`: each array is a read-only view of what the run recorded.
pybind11::list timeline_of(const Run& run);
/// The timeline of cores, likewise.
pybind11::list cores_of(const Run& run);
/// The work-groups of each launch that placed some: `(array, launch, kernel, threads, cores)`. The array is a view;
/// `threads` is the number of each of its work-groups, or an array of them; `cores`, where work-groups may be spread,
/// the cores of those that are, by number.
pybind11::list work_groups_of(const Run& run);
/// Work-groups may be spread over cores.
bool may_spread(const Run& run);

/// The columns of `phases.csv`, in an array that owns its rows.
pybind11::array phases_of(const Run& run);
/// The columns of `launches.csv` that are numbers, likewise.
pybind11::array launches_of(const Run& run);
/// Name, kernel and queue of each launch.
pybind11::list launch_names_of(const Run& run);

}  // namespace gdsim::python
