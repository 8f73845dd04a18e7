#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Where launches on each of several devices and other launches name the same buffer: that these are several buffers.
/// Else empty; of one device always.
std::vector<std::string> notes_on_buffers(const Scenario& scenario);

}  // namespace gdsim
