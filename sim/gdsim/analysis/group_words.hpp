#pragma once

#include <gdsim/record/part_timelines.hpp>

#include <string_view>

namespace gdsim {

/// Describes a work-group's state on its core: `running`, `placed in part, stalled at a barrier`. `exchanges` is true
/// for a work-group of a collective, whose threads wait for other devices.
std::string_view words_for(const GroupState& state, bool exchanges);

/// Returns the name in files: `comes`, `changes`, `leaves`; `partial`, `full`.
std::string_view name_of(GroupChange::Kind kind);
std::string_view name_of(GroupPlacement placement);

}  // namespace gdsim
