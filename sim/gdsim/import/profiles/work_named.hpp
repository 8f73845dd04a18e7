#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// What a text about a copy says of its direction: `[CUDA memcpy HtoD]`, `Host-to-Device`, `HtoD`, `memset`. Kernels
/// have other names.
ProfiledWork work_named(std::string_view text);

}  // namespace gdsim
