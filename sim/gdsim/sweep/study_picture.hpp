#pragma once

#include <gdsim/report/sink.hpp>
#include <gdsim/sweep/study_table.hpp>

#include <string>

namespace gdsim {

/// Returns a picture of a study as SVG: a curve over one axis, a heat map over two, small multiples of heat maps over
/// more. The best point is marked, points that are not ok are crossed, and every point has a description for the
/// pointer and screen readers. For too many points, it is a note instead.
std::string study_picture(const StudyTable& table);

/// The same, as a file.
void write_study_svg(const StudyTable& table, Sink& sink);

}  // namespace gdsim
