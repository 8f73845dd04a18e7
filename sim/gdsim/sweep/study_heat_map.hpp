#pragma once

#include <gdsim/sweep/study_marks.hpp>

namespace gdsim {

/// Draws heat maps of the last two axes, the last one across, below the frame's content: one map, or one for each
/// combination of the other axes, with its values above it. The darkest cell is the best; a point that is not ok has a
/// cross; a point that is not in the table is left blank.
void draw_study_heat_maps(const StudyMarks& marks, PictureFrame& frame);

}  // namespace gdsim
