#pragma once

#include <gdsim/scenario/scenario.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns a note for each buffer name that launches of several devices use: each device has its own buffer of this
/// name. Empty for one device.
std::vector<std::string> notes_on_buffers(const Scenario& scenario);

}  // namespace gdsim
