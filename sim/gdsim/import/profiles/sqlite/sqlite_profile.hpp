#pragma once

#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/profile_input.hpp>

namespace gdsim {

/// The file is a database of SQLite.
bool is_sqlite(const ProfileInput& input);

/// Reads a profile that is a database, whichever profiler's. Throws InputError if it is none, with the tables that such
/// profiles have.
void read_sqlite_profile(const ProfileInput& input, Profile& profile);

}  // namespace gdsim
