#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// `Small: a launch of k has 12 work-groups where 1056 fit at once; 0.9 % of what fits is resident.` Describes the
/// kernel whose launch lasts longest. A persistent kernel has few work-groups on purpose. Empty unless a launch of this
/// kernel is less than half a wave, and less than half of what fits is resident on average: over its launches, or over
/// all launches if some are resident at once.
std::string small_finding(const RunReport& report);

}  // namespace gdsim
