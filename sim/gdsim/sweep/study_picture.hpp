#pragma once

#include <gdsim/report/sink.hpp>
#include <gdsim/sweep/study_table.hpp>

#include <string>

namespace gdsim {

/// A picture of a study as SVG: a curve over one axis, a heat map over two, small multiples of heat maps over more. The
/// best point is marked, what is not ok is crossed, every point says what it is to the pointer and to screen readers.
/// A study of too many points has the picture say so.
std::string study_picture(const StudyTable& table);

/// The same, as a file.
void write_study_svg(const StudyTable& table, Sink& sink);

}  // namespace gdsim
