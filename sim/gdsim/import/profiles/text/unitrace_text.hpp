#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// The text is what unitrace (or onetrace) prints: a timeline of the device (-t), or summaries (-d).
bool is_unitrace_text(std::string_view text);

/// Reads the launches of a timeline, or, where there is none, those that the table of times counts; and what the table
/// of kernel properties says. Throws InputError with the line.
void read_unitrace_text(const SourceText& source, Profile& profile);

}  // namespace gdsim
