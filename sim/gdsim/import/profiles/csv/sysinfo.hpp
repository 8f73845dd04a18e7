#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// Returns true if the text is rocprof-compute's `sysinfo.csv`, which describes the device of a profile next to it.
bool is_sysinfo(std::string_view text);

/// Reads the device. Throws InputError with the line at fault.
void read_sysinfo(const SourceText& source, Profile& profile);

}  // namespace gdsim
