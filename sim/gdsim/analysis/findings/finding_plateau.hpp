#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// That less than three quarters of what fits is resident on average, and what most of the free contexts wait for;
/// empty if that is not so.
///
///     Plateau: 302 threads are resident on average where 672 fit; free contexts wait mostly for dispatch ports.
///
/// If no two kernels are ever resident at once, it is about the kernel whose launch lasted longest, over all its
/// launches. Else it is about all launches together, over the time in which one is resident, and they are compared with
/// the kernel of which the fewest threads fit. It is empty with work-groups for fewer than four waves, because that is
/// no plateau, and for launches that may not use every core.
std::string plateau_finding(const RunReport& report);

}  // namespace gdsim
