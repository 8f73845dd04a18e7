#pragma once

#include <gdsim/database/database.hpp>
#include <gdsim/import/profiles/profile.hpp>

namespace gdsim {

/// The database is one of rocprofv3 (rocpd) that holds kernels.
bool is_rocpd_database(Database& database);

/// Reads kernels of its view `kernels`, and the GPUs of `rocpd_info_agent`. Throws InputError with table and row. Not
/// tried on a file of rocprofv3: names of columns are those of its documentation.
void read_rocpd_database(Database& database, Profile& profile);

}  // namespace gdsim
