#pragma once

#include <gdsim/sweep/study_table.hpp>

#include <string>

namespace gdsim {

/// Explains, if at least half of the points are refused, the reason for most of these, and proposes other values, in
/// one line. Empty otherwise, and for a table that does not have all points.
///
///     10 of 11 points are refused, 7 of them because global is not a multiple of local: `--vary local=64,128,256,320`.
std::string refused_sentence(const StudyTable& table);

}  // namespace gdsim
