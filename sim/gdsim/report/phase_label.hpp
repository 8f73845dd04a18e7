#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>
#include <string_view>

namespace gdsim {

/// `304 threads · 45.2 %`, `tail 0–4096 threads · 31.0 %`
std::string phase_label(const Phase& phase, const RunView& view);

/// `304`, or `0–4096` (with this dash) for a band, ramp or tail.
std::string phase_threads_text(const Phase& phase, std::string_view dash = "–");

/// `45.2 %` of all contexts.
std::string occupancy_text(std::uint64_t threads, const RunView& view);

}  // namespace gdsim
