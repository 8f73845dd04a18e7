#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace gdsim::python {

class Run;

// The records of a run for NumPy. Views of them have times as integers in picoseconds, with the lowest 64-bit value for
// "never". Columns are those of the tables that the program writes; their times are in nanoseconds, with NaN.

/// Returns the timeline as a read-only view of the record.
pybind11::array timeline_of(const Run& run);
/// The same for the timeline of cores.
pybind11::array cores_of(const Run& run);
/// Returns the work-groups of each launch that placed some: `(array, launch, kernel)`. The array is a view.
pybind11::list work_groups_of(const Run& run);

/// Returns a column of a table as an array that owns its values, or all columns if `column` is empty, by name. Texts
/// are a list, and an array of indices of the list.
pybind11::dict table_of(const Run& run, const std::string& name, const std::string& column);
/// Returns the names of the table's columns.
std::vector<std::string> columns_of(const Run& run, const std::string& name);

}  // namespace gdsim::python
