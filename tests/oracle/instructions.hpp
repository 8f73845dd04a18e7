#pragma once

#include "oracle/variation.hpp"

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <map>
#include <string>

// Instructions by kind. They occupy the issue slots for one cycle each, and the pipes of their kinds: each kind its
// pipe for the work-items of its instructions, at the engine's rate of this kind. Kinds of one pipe follow each other
// there. The amounts of kinds that begin with `tensor_` are multiply-adds of the thread; they are not instructions, and
// all these kinds have one pipe unless the device says otherwise.
//
// A kernel's `dependence` N adds the thread's own chain of results: the sum over its instructions of the latencies of
// their kinds, divided by N. Kinds without a latency, and those that begin with `tensor_`, add nothing.
//
// Cycles that are no whole number are rounded up to a millionth. All repetitions of a piece together, times the written
// factors, are rounded up to a picosecond.

namespace gdsim::oracle {

/// Names the chain of results among pipes. Only its thread uses it.
inline constexpr const char* kOwnChain = "chain of results";
inline constexpr const char* kOwnL1 = "L1 beside SLM";

/// Returns the times that an `issue` step needs, `times` over, by the name of the pipe; "" is that of the issue slots.
std::map<std::string, RepeatedTime> times_of_issue(const IssueSlots& issue, const Kernel& kernel,
                                                   const DeviceSpec& device, std::uint64_t times);

/// Returns the time for which the accesses of a step occupy the pipe of L1: their lines, divided by those of a cycle.
RepeatedTime time_of_l1(const IssueSlots& issue, const DeviceSpec& device);

}  // namespace gdsim::oracle
