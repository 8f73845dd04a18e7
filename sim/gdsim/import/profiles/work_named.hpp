#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// Returns the direction of a copy, or a fill, by its text: `[CUDA memcpy HtoD]`, `Host-to-Device`, `HtoD`, `memset`.
/// Any other text is a kernel.
ProfiledWork work_named(std::string_view text);

}  // namespace gdsim
