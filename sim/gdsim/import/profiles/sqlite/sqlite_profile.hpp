#pragma once

#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/profile_input.hpp>

namespace gdsim {

/// Returns true if the file is a SQLite database.
bool is_sqlite(const ProfileInput& input);

/// Reads a profile from any supported profiler's database. If it is none, throws InputError with the tables that such
/// profiles have.
void read_sqlite_profile(const ProfileInput& input, Profile& profile);

}  // namespace gdsim
