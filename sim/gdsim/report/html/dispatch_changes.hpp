#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// Returns true if the work-group changes, and the cores they are on, are few enough to be animated one by one.
bool is_animated(const RunView& view);

/// Every change of every work-group as JSON, for the animation of dispatch. `changes` has eleven numbers each:
/// picoseconds from the start, kind (0 arrives, 1 changes, 2 leaves), launch, number, core, threads, waiting, ended, 1
/// if a part of the work-group is not placed, where it is held meanwhile (0: nowhere or not known; 1: at its core; 2,
/// 3, ...: at port 1, 2, ...), and all its threads (0: not known, or placed all at once). `ports` is the number of
/// ports or null; `names` are those of launches. Only the number of held ports is the dispatcher's: a work-group is
/// drawn at the free port of the lowest number.
std::string dispatch_changes(const RunView& view);

}  // namespace gdsim
