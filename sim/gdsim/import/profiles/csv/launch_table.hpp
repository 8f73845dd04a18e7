#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// The text holds a table of launches: somewhere a header names launches, their sizes and more.
bool has_launch_table(std::string_view text);

/// Reads the table, whatever stands above it: of Nsight Systems (`cuda_gpu_trace`), nvprof, rocprofv3, rocprof,
/// rocprof-compute, VTune, or one's own. Columns are known by their names; those that are not used are noted. Throws
/// InputError with the problems of all rows.
void read_launch_table(const SourceText& source, Profile& profile);

}  // namespace gdsim
