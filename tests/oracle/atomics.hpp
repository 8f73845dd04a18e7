#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/program.hpp>

#include <cstdint>

// Atomic accesses. Each work-item of a thread makes the step's number of accesses one after the other; these are spread
// evenly over the step's addresses. An address serves the device's number of accesses per cycle, one after the other.
//
// - In SLM: an access of the thread keeps the banks busy for the time of an access to neighboring words of 4 bytes, or
// for the time of the address with the most of its work-items, whichever is longer.
// - In global memory: first the traffic, 4 bytes for each address that an access of the thread touches. Then its
// accesses to these addresses: every thread of the device shares the time of an address; one thread needs the time that
// one address needs for its part of the thread's accesses, at least a picosecond. Floating-point accesses have a rate
// of their own, if the device names one.
//
// Cycles that are no whole number are rounded up to a millionth. `lanes` are the work-items of the thread.

namespace gdsim::oracle {

/// In global memory: returns the bytes that one access of a thread moves.
std::int64_t bytes_of_access(const Atomic& atomic, std::uint32_t lanes);
/// In SLM: returns the time for which one access of a thread keeps the banks busy.
StepTime slm_time_of_access(const Atomic& atomic, std::uint32_t lanes, const DeviceSpec& device);
/// In global memory: returns the time that a thread needs at an address if no other thread accesses it.
StepTime time_at_address(const Atomic& atomic, std::uint32_t lanes, const DeviceSpec& device);

}  // namespace gdsim::oracle
