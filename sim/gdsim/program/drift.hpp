#pragma once

#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <vector>

// Rule, to the picosecond: drift.
//
// The T threads of a full work-group are cut into min(n, floor(T / 4)) parts, at least one, if the kernel has a draw,
// the threads share something, and no barrier and no child keeps them together. Part p begins with thread ceil(p T /
// parts). n is 2; for the default draw it is 8, and each part has the factor that its first thread would draw for
// itself (`per: thread`). In loops, odd parts are served first where even ones are last.

namespace gdsim {

/// Returns the number of work-items of this thread of a full work-group: fewer than a sub-group in the last thread, if
/// the size is no multiple. Smaller work-groups at edges are counted as if they were full.
std::uint32_t lanes_of(const Kernel& kernel, std::uint32_t thread);

/// Returns the threads at which the paths of a work-group's threads may differ: the first thread of every range that a
/// step names, and the first after it; and the last thread, if it has fewer work-items than others and executes
/// something for each of them. Ascending, from 0.
std::vector<std::uint32_t> first_threads(const Kernel& kernel);

/// Returns the parts of a work-group whose threads drift apart: the first thread of each, ascending, from 0. With one
/// part, its threads stay together.
///
/// Threads that share a resource and that no barrier synchronizes do not stay in step on hardware. Each could be
/// simulated separately; a few parts with opposite precedence in loops, which by default have different factors, are
/// enough to keep engines and memory as busy as many small work-groups do. A work-group of one part would leave its
/// core's engines idle while all its threads read.
///
/// A part has at least four threads. There are at most two parts if the kernel's draw is declared; at most eight, each
/// with its own factor, if it is the default.
std::vector<std::uint32_t> drift_parts(const Kernel& kernel);

}  // namespace gdsim
