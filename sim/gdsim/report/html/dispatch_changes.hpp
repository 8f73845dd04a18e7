#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// Returns true if the work-group changes, and the cores they are on, are few enough to be animated one by one.
bool is_animated(const RunView& view);

/// Every change of every work-group as JSON, for the animation of dispatch: `changes`, eleven numbers each: picoseconds
/// from the start, kind (0 comes, 1 changes, 2 leaves), launch, number, core, threads, waiting, ended, 1 if a part of
/// the work-group is not placed, and where it is held meanwhile (0: nowhere, or not known; 1: at its core; 2, 3, ...:
/// at port 1, 2, ...), and all its threads, 0 if that is not known, or all are placed at once; the number of `ports`,
/// or null; `names` of launches; if any are collectives, `exchanges`, their numbers. Only the number of held ports is
/// the dispatcher's: a work-group is drawn at the free port of the lowest number.
std::string dispatch_changes(const RunView& view);

}  // namespace gdsim
