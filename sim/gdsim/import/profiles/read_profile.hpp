#pragma once

#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/profile_input.hpp>

#include <string>

namespace gdsim {

/// The file is a profile, in a format that read_profile() knows.
bool is_profile(const ProfileInput& input);

/// Reads a profile; its format follows from its content. Throws InputError, with the place, if it cannot be read.
Profile read_profile(const ProfileInput& input);

/// Names of the formats, for messages.
std::string profile_formats_text();

}  // namespace gdsim
