#pragma once

#include <gdsim/import/ptx/lane_values.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

inline constexpr std::uint64_t kLineBytes = 128;

/// Sectors of 32 bytes that one request of a warp touches, ascending, each once. `active` has a bit for each lane.
void sectors_of(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes,
                std::vector<std::uint64_t>& sectors);

/// The number of these sectors of which the lanes access all bytes.
std::uint32_t whole_sectors_of(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes,
                               const std::vector<std::uint64_t>& sectors);

/// The number of lines of 128 bytes that contain these sectors.
std::uint32_t lines_of(const std::vector<std::uint64_t>& sectors);

/// Cycles for which shared memory of 32 banks of 4 bytes serves one request of a warp. Lanes that request the same word
/// of a bank are served together; different words of a bank are served one after the other. Accesses of 8 bytes are
/// served by half warps, of 16 by quarters; a load with the same address in each pair of lanes (n and n^1, or n and
/// n^2) by parts of twice that size.
///
/// Source: CUDA C++ Programming Guide, shared memory per compute capability; S9593, cuTENSOR (GTC 2019): phases of
/// 128-bit accesses; forums.developer.nvidia.com/t/unexpected-shared-memory-bank-conflict/77228/2, by an engineer of
/// NVIDIA, for 7.0 to 7.5: pairs. ASSUMED to hold for later ones.
std::uint32_t bank_cycles(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes, bool is_load);

}  // namespace gdsim
