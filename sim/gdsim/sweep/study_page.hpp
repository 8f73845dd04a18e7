#pragma once

#include <gdsim/report/sink.hpp>
#include <gdsim/sweep/study_table.hpp>

namespace gdsim {

/// A self-contained page of a study: the answer, the picture, the best points and those that are not ok.
void write_study_page(const StudyTable& table, Sink& sink);

}  // namespace gdsim
