#pragma once

#include <gdsim/record/group_watch.hpp>

#include <string_view>

namespace gdsim {

/// The state of a work-group on its core, in words: `running`, `placed in part, stalled at a barrier`.
std::string_view words_for(const GroupState& state);

/// The name in files: `comes`, `changes`, `leaves`; `partial`, `full`.
std::string_view name_of(GroupChange::Kind kind);
std::string_view name_of(GroupPlacement placement);

}  // namespace gdsim
