#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What a study varies, and the values that it takes, as they would be written in the scenario.
struct Axis {
  std::string name;  ///< as typed
  std::vector<std::string> values;
};

/// More values than this are refused.
inline constexpr std::size_t kMaxAxisValues = 1'000'000;

/// Reads `NAME=LIST`: values separated by commas, or by semicolons if one stands there (`[8,8];[16,16]`). A value such
/// as `32..1024*2` or `64..512+64` stands for all from the first to the last, which is included only if it is hit; both
/// may have the same unit. One that adds may begin below 0, unless it has a unit. Throws InputError.
Axis parse_axis(std::string_view text);

}  // namespace gdsim
