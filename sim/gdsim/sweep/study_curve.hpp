#pragma once

#include <gdsim/sweep/study_marks.hpp>

namespace gdsim {

/// Draws the figure over one axis, or over the pairs of several axes, below the frame's content. Values are equally
/// spaced; numbers are joined by lines. A point that is not ok is a cross at the bottom.
void draw_study_curve(const StudyMarks& marks, PictureFrame& frame);

}  // namespace gdsim
