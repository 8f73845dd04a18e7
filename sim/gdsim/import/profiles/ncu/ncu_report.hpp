#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// Returns true if the bytes are those of a report file of Nsight Compute (`.ncu-rep`).
bool is_ncu_report(std::string_view bytes);

/// Reads its launches. Throws InputError with the offset if the file is cut off or damaged.
void read_ncu_report(std::string_view bytes, Profile& profile);

}  // namespace gdsim
