#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <string>

namespace gdsim {

/// Returns true if the file is a profile in a format that read_profile() can read.
bool is_profile(const ProfileInput& input);

/// Reads a profile in the format of its content. Throws InputError with the position if it cannot be read.
Profile read_profile(const ProfileInput& input);

/// Names of the formats, for messages.
std::string profile_formats_text();

}  // namespace gdsim
