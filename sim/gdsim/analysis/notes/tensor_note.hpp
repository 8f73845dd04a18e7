#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns a note for each kernel whose `tensor_` amounts may be those of one lane, or multiplied by the lanes once too
/// often. On the cores that hold its work-groups, its tensor pipes are busy for at most 1 / sub_group of the time, so
/// that they could do as many times more; or for at least 98 % of it, more than matrix products reach. Kernels that
/// count matrix instructions by shape have none.
std::vector<std::string> tensor_notes(const RunReport& report);

}  // namespace gdsim
