#pragma once

#include <cstdint>

namespace gdsim {

/// Whether what repeats may be fast-forwarded. Results are the same; `no` is for proving that.
enum class FastForward : std::uint8_t { yes, no };

}  // namespace gdsim
