#pragma once

#include <gdsim/device/device_spec.hpp>

#include <string>

namespace gdsim {

/// A resource of a core in the vendor's words: `thread contexts`, `SLM`.
std::string words_for(Resource resource, const Terms& terms);

}  // namespace gdsim
