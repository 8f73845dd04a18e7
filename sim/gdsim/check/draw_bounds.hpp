#pragma once

#include <gdsim/workload/kernel.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns the problems with the coefficient of variation of a draw, each as the rest of a sentence: `is more than 10`.
/// Beyond these bounds, factors of 0 or less would have to be cut off, and the mean would not be 1.
std::vector<std::string> faults_of_cv(const Draw& draw);

}  // namespace gdsim
