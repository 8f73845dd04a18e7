#pragma once

#include <gdsim/device/device_spec.hpp>

#include <string>

namespace gdsim {

/// Returns the vendor's words for a resource of a core: `thread contexts`, `SLM`.
std::string words_for(Resource resource, const Terms& terms);

}  // namespace gdsim
