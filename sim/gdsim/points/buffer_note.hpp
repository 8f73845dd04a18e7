#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// A note for each buffer name that launches on each device and other launches use: these are separate buffers. Empty
/// for one device.
std::vector<std::string> notes_on_buffers(const Scenario& scenario);

}  // namespace gdsim
