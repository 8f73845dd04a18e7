#pragma once

#include <cstdint>

namespace gdsim {

/// Whether to record what launches waited for, and why contexts were free.
enum class KeepAccounts : std::uint8_t { no, yes };

}  // namespace gdsim
