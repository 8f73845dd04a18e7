#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// Reports that less than three quarters of the capacity is resident on average, and the main reason why contexts are
/// free. Empty if that does not apply.
///
///     Plateau: 302 threads are resident on average where 672 fit; free contexts wait mostly for dispatch ports.
///
/// If no two launches are ever resident at once, the finding covers all launches of the kernel whose launch lasted
/// longest. Else it covers all launches together, over the time in which at least one is resident, and compares them
/// with the kernel of which the fewest threads fit. It is empty if there are work-groups for fewer than four waves,
/// because that is no plateau, and if a launch may not use every core.
std::string plateau_finding(const RunReport& report);

}  // namespace gdsim
