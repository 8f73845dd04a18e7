#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace gdsim::python {

class Run;

// The records of a run for NumPy. Times are integers in picoseconds, with the lowest 64-bit value for "never", or
// nanoseconds as `double`, with NaN. Arrays leave out columns that follow from others; `_series.py` adds them.

/// Returns the timeline as a read-only view of the record.
pybind11::array timeline_of(const Run& run);
/// The same for the timeline of cores.
pybind11::array cores_of(const Run& run);
/// Returns the work-groups of each launch that placed some: `(array, launch, kernel, threads, cores)`. The array is a
/// view; `threads` is the number per work-group, or an array of these numbers; `cores` holds the cores of spread
/// work-groups by number, if work-groups may be spread.
pybind11::list work_groups_of(const Run& run);
/// Returns true if work-groups may be spread over cores.
bool may_spread(const Run& run);

/// Returns the columns of `phases.csv` in an array that owns its rows.
pybind11::array phases_of(const Run& run);
/// The same for the numeric columns of `launches.csv`.
pybind11::array launches_of(const Run& run);
/// Returns name, kernel and queue of each launch.
pybind11::list launch_names_of(const Run& run);

}  // namespace gdsim::python
