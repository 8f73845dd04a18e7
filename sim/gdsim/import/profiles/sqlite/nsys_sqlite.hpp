#pragma once

#include <gdsim/database/database.hpp>
#include <gdsim/import/profiles/profile.hpp>

namespace gdsim {

/// The database is an export of Nsight Systems that holds kernels.
bool is_nsys_database(Database& database);

/// Reads kernels, copies and fills, and the devices. Throws InputError with table and row.
void read_nsys_database(Database& database, Profile& profile);

}  // namespace gdsim
