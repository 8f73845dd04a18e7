#pragma once

#include "oracle/variation.hpp"

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>

// Instructions by kind. They occupy the engine for the longest of: one cycle for each instruction; for each kind, the
// work-items of its instructions, at the engine's rate of this kind. The amounts of kinds that begin with `tensor_` are
// multiply-adds of the thread; they are not instructions.
//
// Cycles that are no whole number are rounded up to a millionth. All repetitions of a piece together, times the written
// factors, are rounded up to a picosecond.

namespace gdsim::oracle {

/// Returns the time that an `issue` step needs of its engine, `times` over.
RepeatedTime time_of_issue(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device,
                           std::uint64_t times);

/// Returns the time for which the accesses of a step occupy the pipe of L1: their lines, divided by those of a cycle.
RepeatedTime time_of_l1(const IssueSlots& issue, const DeviceSpec& device);

}  // namespace gdsim::oracle
