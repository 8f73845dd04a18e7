#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/workload/program.hpp>

#include <cstdint>

namespace gdsim {

/// `amount` x `factor`, rounded once, with as many digits as fit into 63 bits.
Decimal scaled(const Decimal& amount, const Ratio& factor);
/// Rounded; more than any kernel may have if it leaves 63 bits.
std::int64_t scaled(std::uint64_t amount, const Ratio& factor);

/// Every step of the program does `factor` times as much.
void scale(Program& program, const Ratio& factor);

/// Each thread has `factor` times as many work-items: it computes, issues and reads as much more. Accesses to SLM and
/// atomic ones are counted by work-item, and stay.
void scale_lanes(Program& program, const Ratio& factor);

}  // namespace gdsim
