#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/workload/program.hpp>

#include <cstdint>

namespace gdsim {

/// Returns `amount` x `factor`, rounded once, with the maximum number of digits that fits into 63 bits.
Decimal scaled(const Decimal& amount, const Ratio& factor);
/// Returns the rounded product; a value above the maximum of any kernel if it leaves 63 bits.
std::int64_t scaled(std::uint64_t amount, const Ratio& factor);

/// Multiplies the work of every step of the program by `factor`.
void scale(Program& program, const Ratio& factor);

/// Gives each thread `factor` times as many work-items: its computation, its instructions and its reads are scaled.
/// Accesses to SLM and atomic accesses are counted by work-item, and stay.
void scale_lanes(Program& program, const Ratio& factor);

}  // namespace gdsim
