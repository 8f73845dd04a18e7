#pragma once

#include <gdsim/sweep/study_marks.hpp>

namespace gdsim {

/// Draws the figure over one axis, or over the pairs of several, below what the frame has. Values stand side by side at
/// equal distances; they are joined by lines where they are numbers. What is not ok is a cross at the bottom.
void draw_study_curve(const StudyMarks& marks, PictureFrame& frame);

}  // namespace gdsim
