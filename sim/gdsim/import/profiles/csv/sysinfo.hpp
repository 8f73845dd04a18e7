#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// The text is `sysinfo.csv` of rocprof-compute, which describes the device of a profile beside it.
bool is_sysinfo(std::string_view text);

/// Reads the device. Throws InputError with the line.
void read_sysinfo(const SourceText& source, Profile& profile);

}  // namespace gdsim
