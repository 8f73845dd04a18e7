#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// Returns true if the text is output of unitrace (or onetrace): a timeline of the device (-t), or summaries (-d).
bool is_unitrace_text(std::string_view text);

/// Reads the launches of a timeline or, if there is none, those in the table of times, and the table of kernel
/// properties. Throws InputError with the line at fault.
void read_unitrace_text(const SourceText& source, Profile& profile);

}  // namespace gdsim
