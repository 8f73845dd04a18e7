#pragma once

#include <string>

namespace gdsim {

/// 128-bit integers hold integrals over time: threads x picoseconds outgrow 64 bits.
__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// Decimal digits of `value`, with a leading '-' if negative.
std::string to_text(Int128 value);

}  // namespace gdsim
