#pragma once

#include <gdsim/database/database.hpp>
#include <gdsim/import/profiles/profile.hpp>

namespace gdsim {

/// Returns true if the database is rocprofv3's (rocpd) and has kernels.
bool is_rocpd_database(Database& database);

/// Reads kernels from its view `kernels`, and the GPUs from `rocpd_info_agent`. Throws InputError with table and row.
/// Not tested with a file of rocprofv3: column names are those of its documentation.
void read_rocpd_database(Database& database, Profile& profile);

}  // namespace gdsim
