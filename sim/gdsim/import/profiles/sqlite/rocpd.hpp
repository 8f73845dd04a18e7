#pragma once

#include <gdsim/database/database.hpp>
#include <gdsim/import/profiles/profile.hpp>

namespace gdsim {

/// Returns true if the database is rocprofv3's (rocpd) and has kernels.
bool is_rocpd_database(Database& database);

/// Reads kernels from its view `kernels`, copies from `memory_copies`, and the GPUs from `rocpd_info_agent`. Counts the
/// rows of other tables with time on a GPU as left out. Throws InputError with table and row. Not tested with a file of
/// rocprofv3: columns are those of the views of ROCm 7.0 and later (rocprofiler-sdk, data_views.sql).
void read_rocpd_database(Database& database, Profile& profile);

}  // namespace gdsim
