#pragma once

#include <cstdint>
#include <string_view>

namespace gdsim {

/// How a run ended.
enum class Outcome : std::uint8_t {
  completed,
  stalled,      ///< work is left, and nothing can happen any more
  interrupted,  ///< it was told to stop
  bounded       ///< it came to a bound that was asked for
};

/// `completed`, `stalled`, `interrupted`, `bounded`: the words of files and expectations.
std::string_view name_of(Outcome outcome);

}  // namespace gdsim
