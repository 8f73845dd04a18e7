#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>

namespace gdsim {

/// How fast threads reach shared local memory: consecutive words of `bank_width` lie in consecutive banks, and each
/// bank serves one word per cycle. The same word is served to all who ask for it at once.
struct SlmAccess {
  std::uint32_t banks = 0;
  Bytes bank_width{4};
  StepTime latency;  ///< of the last access of a step, after it was served
};

/// Cycles that the banks need for one access of a sub-group: the most words asked of one bank. Lane i asks for `bytes`
/// bytes at i x stride x bytes. `stride` may be 0: all ask for the same.
std::uint64_t cycles_per_access(const SlmAccess& slm, std::uint32_t sub_group, std::uint64_t stride,
                                std::uint64_t bytes);

}  // namespace gdsim
