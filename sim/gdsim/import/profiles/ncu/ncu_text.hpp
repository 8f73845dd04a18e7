#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// Returns true if the text is Nsight Compute's output for people, possibly mixed with the program's output.
bool is_ncu_text(std::string_view text);

/// Reads its launches. Throws InputError with the line if a number cannot be read.
void read_ncu_text(const SourceText& source, Profile& profile);

}  // namespace gdsim
