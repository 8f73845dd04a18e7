#pragma once

#include <cstdint>

namespace gdsim {

/// Says whether to record the reasons for which launches waited and contexts were free.
enum class KeepAccounts : std::uint8_t { no, yes };

}  // namespace gdsim
