#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// Returns true if the text has a table of Nsight Compute: its details page (a row for each metric) or its raw page (a
/// row for each launch).
bool has_ncu_table(std::string_view text);

/// Reads all such tables of the text. Throws InputError with the line if a row or a number cannot be read.
void read_ncu_csv(const SourceText& source, Profile& profile);

}  // namespace gdsim
