#pragma once

#include <cstdint>
#include <string_view>

namespace gdsim {

/// How a run ended.
enum class Outcome : std::uint8_t { completed, stalled, interrupted };

/// `completed`, `stalled`, `interrupted`: the words of files and expectations.
std::string_view name_of(Outcome outcome);

}  // namespace gdsim
