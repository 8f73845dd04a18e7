#pragma once

#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <vector>

// Rule, to the picosecond: drift.
//
// Where no barrier and no child keeps the T threads of a full work-group together, and they share something, those of
// a kernel with a draw are cut into min(n, floor(T / 4)) parts, at least one; part p begins with thread ceil(p T /
// parts). n is 2; of the default draw it is 8, and each part has the factor that its first thread would draw for
// itself (`per: thread`). In loops, odd parts take the turns that even ones do not.

namespace gdsim {

/// The parts of a work-group whose threads drift apart: the first thread of each, ascending, from 0. One part: its
/// threads stay together.
///
/// Threads that share something and that no barrier keeps together do not stay in step on hardware. Every single one
/// could be simulated by itself; a few parts that take different turns in loops, and by default have different factors,
/// are enough to keep engines and memory as busy as many small work-groups do. A work-group of one part would leave its
/// core's engines idle while all its threads read.
///
/// A part has at least four threads. There are at most two, where the kernel's draw is declared; at most eight, of
/// which each draws a factor, where it is the default.
std::vector<std::uint32_t> drift_parts(const Kernel& kernel);

}  // namespace gdsim
