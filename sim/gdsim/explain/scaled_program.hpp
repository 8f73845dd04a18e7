#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/workload/program.hpp>

#include <cstdint>

namespace gdsim {

/// `amount` x `factor`, rounded once, with as many digits as fit into 63 bits.
Decimal scaled(const Decimal& amount, const Ratio& factor);
/// The rounded product; more than any kernel may have if it leaves 63 bits.
std::int64_t scaled(std::uint64_t amount, const Ratio& factor);

/// Makes every step of the program do `factor` times as much.
void scale(Program& program, const Ratio& factor);

/// Gives each thread `factor` times as many work-items: what it computes, issues and reads is scaled. Accesses to SLM
/// and atomic accesses are counted by work-item, and stay.
void scale_lanes(Program& program, const Ratio& factor);

}  // namespace gdsim
