#pragma once

#include <gdsim/report/sink.hpp>
#include <gdsim/sweep/study_marks.hpp>
#include <gdsim/sweep/study_table.hpp>

#include <string>

namespace gdsim {

/// Draws the figure over one axis, or over the pairs of several axes, below the frame's content. Values are equally
/// spaced; numbers are joined by lines. A point that is not ok is a cross at the bottom.
void draw_study_curve(const StudyMarks& marks, PictureFrame& frame);

/// Draws heat maps of the last two axes, the last one across, below the frame's content: one map, or one for each
/// combination of the other axes, with its values above it. The darkest cell is the best; a point that is not ok has a
/// cross; a point that is not in the table is left blank.
void draw_study_heat_maps(const StudyMarks& marks, PictureFrame& frame);

/// Returns a picture of a study as SVG: a curve over one axis, a heat map over two, small multiples of heat maps over
/// more. The best point is marked, points that are not ok are crossed, and every point has a description for the
/// pointer and screen readers. For too many points, it is a note instead.
std::string study_picture(const StudyTable& table);

/// The same, as a file.
void write_study_svg(const StudyTable& table, Sink& sink);

}  // namespace gdsim
