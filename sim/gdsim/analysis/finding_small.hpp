#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// `Small: a launch of k has 12 work-groups where 1056 fit at once; over its launches, 0.9 % of what fits is resident.`
/// About the kernel whose launch lasts longest. Empty unless it has less than half of a wave, and less than half of
/// what fits is resident while it, or what runs beside it, is.
std::string small_finding(const RunReport& report);

}  // namespace gdsim
