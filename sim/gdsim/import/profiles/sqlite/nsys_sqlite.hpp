#pragma once

#include <gdsim/database/database.hpp>
#include <gdsim/import/profiles/profile.hpp>

namespace gdsim {

/// Returns true if the database is an export of Nsight Systems with kernels.
bool is_nsys_database(Database& database);

/// Reads kernels, copies, fills and devices. Throws InputError with table and row.
void read_nsys_database(Database& database, Profile& profile);

}  // namespace gdsim
