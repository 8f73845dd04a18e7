#pragma once

#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <array>
#include <cstdint>

namespace gdsim {

/// Executes a work-group: in each round, every warp executes one basic block; warps wait for each other at barriers.
/// Each warp executes at most `max_rounds` basic blocks; the rest is left out.
void run_group(const PreparedKernel& kernel, const PtxLaunch& launch, const std::array<std::uint64_t, 3>& group,
               BlockLog& log, UnresolvedInputs& unresolved, std::uint64_t max_rounds = ~std::uint64_t{0});

/// The position of a work-group with this number; x runs fastest.
std::array<std::uint64_t, 3> position_of(const PtxLaunch& launch, std::uint64_t group);

}  // namespace gdsim
