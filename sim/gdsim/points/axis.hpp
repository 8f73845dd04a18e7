#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// One varied input of a study, with its values as written in the scenario.
struct Axis {
  std::string name;  ///< as typed
  std::vector<std::string> values;
};

/// The maximum number of values of an axis.
inline constexpr std::size_t kMaxAxisValues = 1'000'000;

/// Reads `NAME=LIST`: values separated by commas, or by semicolons if the list has any (`[8,8];[16,16]`). A value such
/// as `32..1024*2` or `64..512+64` is a range. Its last value is included only if the steps reach it exactly; both ends
/// may have the same unit. A range that adds may begin below 0, unless it has a unit. Throws InputError.
Axis parse_axis(std::string_view text);

}  // namespace gdsim
