#pragma once

#include <gdsim/sweep/study_table.hpp>

#include <string>

namespace gdsim {

/// If at least half of the points are refused: why most of them are, and what to vary instead, in one line. Empty
/// otherwise, and for a table that does not have all points.
///
///     10 of 11 points are refused, 7 of them because global is not a multiple of local: `--vary local=64,128,256,320`.
std::string refused_sentence(const StudyTable& table);

}  // namespace gdsim
