#pragma once

#include <gdsim/report/run_view.hpp>

#include <string>

namespace gdsim {

/// `304 threads · 45.2 %`
std::string phase_label(const PhaseRow& phase, const RunView& view);

/// `45.2 %` of all contexts.
std::string occupancy_text(std::uint64_t threads, const RunView& view);

}  // namespace gdsim
