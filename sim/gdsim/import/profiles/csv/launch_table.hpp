#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// Returns true if the text has a table of launches: some header names launches, their sizes and more.
bool has_launch_table(std::string_view text);

/// Reads the table, whatever precedes it, of Nsight Systems (`cuda_gpu_trace`), nvprof, rocprofv3, rocprof,
/// rocprof-compute, VTune, or the user's own tool. Columns are recognised by their names; unused ones are noted. Throws
/// InputError with the problems of all rows.
void read_launch_table(const SourceText& source, Profile& profile);

}  // namespace gdsim
