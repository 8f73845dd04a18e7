#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>

namespace gdsim {

/// Returns `amount` x `factor`, rounded once, with the maximum number of digits that fits into 63 bits.
Decimal scaled(const Decimal& amount, const Ratio& factor);
/// Returns the rounded product; a value above the maximum of any kernel if it leaves 63 bits.
std::int64_t scaled(std::uint64_t amount, const Ratio& factor);

/// Multiplies the work of every step of the program by `factor`.
void scale(Program& program, const Ratio& factor);

/// Gives the program, written for threads of `from` work-items, to threads of `to`, so that the kernel's work stays the
/// same. What a thread does for all of its work-items is multiplied by `to / from`:
///
///   scaled    computing time, issue slots without a kind, multiply-adds of matrix units, lines of L1, bytes
///   as it is  instructions of a kind (a thread issues one for all of its work-items), accesses to SLM and atomic
///             accesses (counted by work-item), elements in memory (converted to the bytes of a thread when read)
///
/// Requires can_scale_lanes().
void scale_lanes(Kernel& kernel, std::uint32_t from, std::uint32_t to);
/// Returns false if the kernel's work depends on the number of its threads: steps of some threads only, or tiles.
bool can_scale_lanes(const Kernel& kernel);

}  // namespace gdsim
